package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The kinds of this file wait by polling.

func cpuSpin() Detector {
	return costKind{
		id: "CPU017", kind: "cpu-spin", title: "Goroutines spin instead of waiting", what: "Spinning",
		looks: "Looks for runtime.Gosched and operations of sync/atomic directly below lines of the user's code. The " +
			"scheduler's work for Gosched has no line above it and is attributed to the line that " +
			"calls it most, in the CPU profile or, if no sample shows one, among the goroutines. Atomics that many " +
			"cores write are expensive even without a loop. That looks the same, and the second remedy is for it. " +
			"A function whose name says that it waits, and that does little but ask for the time, spins, too.",
		scale: Scale{Worth: 0.10, Hurts: 0.40, Top: 0.80}, scaleWhy: "an atomic operation takes 1–5 ns and yielding " +
			"200 ns: 10 % of the CPU means waiting, or cores that take a cache line from each other.",
		cap:         capUnsure,
		ofScheduler: true,
		match: match{own: true, scheduler: true,
			calls: []known.Work{known.Yields, known.Atomics}},
		gain: [2]float64{0.7, 1}, gainWhy: "a goroutine that waits takes no CPU",
		explanation: "A loop that keeps checking whether something has happened takes a whole core while nothing " +
			"happens, and takes that time from the code that should make it happen.",
		fixes: []Remedy{
			byChange(known.Time, "Sleep until the time has come", "At {line}: time.Sleep, a Timer or a Ticker wakes "+
				"the goroutine then. Where tens of microseconds count, sleep until just before, and spin for the rest.",
				"a wake-up comes some 50 µs late, more on a busy machine"),
			byChange("", "Wait for it", "At {line}: a channel, sync.Cond, sync.WaitGroup or context.Done wakes the "+
				"goroutine at the right time.", "a wake-up takes a few microseconds"),
			byChange(known.Atomic, "Do not share the counter", "One for each worker or shard, 64 bytes apart; add "+
				"them up when you read.", "reading costs more"),
			byChange(known.Gosched, "Sleep between attempts", "time.Sleep with a growing pause, if nothing can "+
				"send a signal.", "it notices later"),
		},
		before: `for !done.Load() { runtime.Gosched() }`,
		after:  `<-done // a channel that is closed`,
	}.detector()
}

func goroutineBusyPoll() Detector {
	d := pollingRow().detector()
	polls := d.Run
	d.Text += "\n\n" + failingText
	d.Remedies = append(d.Remedies, failingRemedies()...)
	d.Absorbs = related(SameFunction, "cpu-json", "cpu-xml", "cpu-protobuf", "mem-stacks", "net-round-trips",
		"goroutine-churn", "cpu-hot-function", "io-small")
	d.Run = func(ctx context.Context, r *Reading) Answer {
		a := polls(ctx, r)
		if f, ok := failsAgain(r); ok && (len(a.Findings) == 0 || f.Score > a.Findings[0].Score) {
			return found(f)
		}
		return a
	}
	return d
}

// pollingRow is the row of selects with a default, and of short sleeps.
func pollingRow() costKind {
	return costKind{
		id: "GO009", kind: "goroutine-busy-poll", title: "A goroutine polls instead of waiting", what: "Polling",
		looks: "Looks for receiving in a select with a default branch and for time.Sleep directly below lines of the " +
			"user's code, and for a select with several cases that takes half of its function's CPU or more and " +
			"neither receives, sends nor waits. Most of the cost of a short sleep is in the scheduler, without a " +
			"line above it: the line is given as much of that as it has of all other " +
			"work.",
		scale: Scale{Worth: 0.05, Hurts: 0.25, Top: 0.60}, scaleWhy: "a sleep and its wake-up show 0.5–1 µs at the " +
			"line: 5 % of a core means more than 50,000 polls a second; a select with default that never waits takes " +
			"a whole core.",
		cap:         capUnsure,
		ofScheduler: true,
		match:       match{own: true, scheduler: true, calls: []known.Work{known.Sleeps, known.ReceivesIfReady}},
		gain:        [2]float64{0.7, 1}, gainWhy: "a goroutine that waits takes no CPU",
		explanation: "A loop with select and default, or with a sleep of microseconds, keeps polling for something " +
			"that a channel or a condition would signal.",
		fixes: []Remedy{
			byChange(known.RuntimeSelect, "Leave out the default branch",
				"At {line}: a select without default waits until one of its channels is ready. Do the other work in "+
					"another goroutine, or in its own case.", "none"),
			byChange("", "Wait for what comes, not for a moment", "At {line}: if what is looked for comes over "+
				"channels, a select without default waits for all of them; with a time.Ticker among its cases for "+
				"what is due at a time (at the pace at which something changes). If it is a variable: let who changes "+
				"it send, close a channel, or signal a sync.Cond.", "the producer must know about the consumer"),
			byChange("", "Poll less often", "A time.Ticker of tens of milliseconds, if the source cannot send a "+
				"signal.", "it notices later"),
		},
		before: `for { select { case j := <-jobs: run(j); default: time.Sleep(50 * time.Microsecond) } }`,
		after:  `for j := range jobs { run(j) }`,
	}
}

const failingText = `Also looks for work that fails and is begun again at once: a consumer whose handler returns an
error, so that the same message comes again, or a loop that goes on after an error without a pause. Seen are CPU samples
in making errors (errors.New, fmt.Errorf, a server's answer that is one), five or more, or three sampled objects of the
kind, below a line of the user's that serves no request. The function of that line must take a quarter of the CPU. What
the standard library makes for itself does not count: parsers try one form after another.`

func failingRemedies() []Remedy {
	return []Remedy{
		byChange("", "Pause after an error", "At {line}, or where what it returns is handled: wait before the next "+
			"attempt, longer each time (100 ms, doubled up to a minute, with some chance in it), and go on at "+
			"once when one succeeds. Many clients of queues have a setting for the delay of a redelivery.",
			"what fails for a moment is done later"),
		byChange("", "Give up on what cannot succeed", "Count the attempts of a message or job: after a few put "+
			"it aside "+
			"(a dead-letter queue, a table of failures) and acknowledge it. An error that no repetition cures "+
			"(a message that cannot be read, a group or table that is not there) is to be mended or reported at once.",
			"somebody must look at what was put aside"),
	}
}

const (
	failingTicks   = 5    // CPU samples in errors at a line
	failingObjects = 3    // sampled errors
	failingPart    = 0.25 // of the CPU, of the function of the line
)

// failsAgain finds the line outside of requests that errors take most CPU or objects at.
func failsAgain(r *Reading) (f casefile.Finding, ok bool) {
	v := r.cpu()
	if v == nil || !v.enough() || v.level.idle() {
		return f, false
	}
	of := requestFunctions(r)
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	handled := stacks.SumBy(v.set, ticks, func(s *stacks.Sample) (stacks.FrameID, bool) {
		return failingLine(r, s, of)
	})
	if len(handled) == 0 || handled[0].Value < failingTicks {
		handled = errorsMade(r, of)
	}
	if len(handled) == 0 {
		return f, false
	}
	at := handled[0].Key
	fn := r.Table.FuncID(at)
	below := v.set.Total(func(s *stacks.Sample) int64 {
		if _, in := frameOf(r.Table, s.Stack, fn); !in || serves(r.Table, s.Stack) {
			return 0
		}
		return v.weight(s)
	})
	share := float64(below) / v.total
	if share < failingPart {
		return f, false
	}
	score := min(pollingRow().scale.Score(share), capUnsure, v.level.wasteCap(pollingRow().scale.Score(share)))
	return failingFinding(r, at, share, score), score >= worthKnowing
}

// errorsMade are the lines outside of requests whose errors are garbage, by samples of the heap profile.
func errorsMade(r *Reading, of map[stacks.FuncID]bool) (out []stacks.Entry[stacks.FrameID]) {
	if !hasKinds(r, []string{casefile.Heap, casefile.Allocs}) {
		return nil
	}
	g := newGarbage(r)
	if !g.diff {
		return nil // of the start, perhaps
	}
	for _, e := range stacks.SumBy(g.set, g.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		return failingLine(r, s, of)
	}) {
		if float64(e.Value) >= failingObjects*g.rate {
			out = append(out, e)
		}
	}
	return out
}

// failingLine is the user's line of a stack that makes an error and serves no request.
func failingLine(r *Reading, s *stacks.Sample, of map[stacks.FuncID]bool) (stacks.FrameID, bool) {
	id, u := r.Table.UserFrame(s.Stack)
	if u < 0 || serves(r.Table, s.Stack) || of[r.Table.FuncID(r.Table.Root(s.Stack))] ||
		!makesError(r.Table, s.Stack[:u+1]) {
		return stacks.NoFrame, false
	}
	return id, true
}

// makesError reports whether an error is made on a stack, and not by a package of the standard library for itself.
func makesError(t *stacks.Table, stack []stacks.FrameID) bool {
	for i, id := range stack[:len(stack)-1] {
		if f, by := t.Func(id), t.Func(stack[i+1]); f.Does(known.MakesError) {
			return by.Owner != stacks.Std || by.Package == f.Package
		}
	}
	return false
}

// requestFunctions are the functions, with their literals, of which one is on a stack that serves a request: a
// goroutine
// that such a function started serves it, too.
func requestFunctions(r *Reading) map[stacks.FuncID]bool {
	names := make(map[string]bool)
	for _, set := range r.Sets {
		for i := range set.Samples {
			if stack := set.Samples[i].Stack; serves(r.Table, stack) {
				for _, id := range stack {
					names[hold.Outermost(r.Table.Func(id).Name)] = true
				}
			}
		}
	}
	out := make(map[stacks.FuncID]bool)
	for i := range r.Table.Funcs {
		out[stacks.FuncID(i)] = names[hold.Outermost(r.Table.Funcs[i].Name)]
	}
	return out
}

func failingFinding(r *Reading, at stacks.FrameID, share float64, score int) casefile.Finding {
	v, place := r.cpu(), r.Place(at)
	return casefile.Finding{
		Brief: fmt.Sprintf("Work that fails and is begun again at once takes %s of the CPU", percent(share)),
		Title: fmt.Sprintf("Work that fails and is begun again at once takes %s of the CPU, at "+
			"%s", percent(share), place),
		Score: score, Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("Below %s, which serves no request, errors are made all the time, and its "+
			"function takes %s of the CPU; %s.", place, percent(share), v.level),
		Explanation: "Where what has failed is tried again without a pause, it fails as often as the CPU allows, and " +
			"takes it from what could succeed: the more often, the quicker it fails.",
		Where:    []casefile.Frame{r.Frame(at, share, "fails, and is begun again")},
		Remedies: remediesAt(place, failingRemedies()...),
		Evidence: Basis(v.set),
		Impact:   onCPU(share, saves(0.7*share, share, "with a pause after each error next to nothing is left of it")),
	}
}

// isYield reports whether a stack is the scheduler's work for runtime.Gosched.
func isYield(t *stacks.Table, stack []stacks.FrameID) bool {
	n := len(stack)
	for _, id := range stack[max(n-4, 0):] { // it begins with mcall, gosched_m
		if t.Func(id).Does(known.SchedulesYield) {
			return true
		}
	}
	return false
}

// resolveSpin attributes the scheduler's work for Gosched to the line that calls it most. Compared with that work the
// call itself is so short that a profile of a few seconds may hold no sample of it; then the goroutines decide. If none
// is there, nothing is reported: the runtime's own sweeping yields, too, and looks the same.
func (c *costView) resolveSpin(r *Reading) {
	if c.cpu == nil || c.yield <= 0 {
		return
	}
	most := c.yielding()
	if id, call := yieldingGoroutine(r); most == nil && id != stacks.NoFrame {
		most = c.at(c.row("cpu-spin"), id)
		most.calls[call] += c.yield
	}
	if c.spins = most != nil; c.spins {
		most.cpu += c.yield / c.cpu.total
		most.ticks += c.cpu.samples * c.yield / c.cpu.total
	}
}

// resolvePolls gives lines that poll their part of what the scheduler and the timers do on stacks of no line: as much
// as they have of all work beside that. Each sleep of microseconds is a timer, a search for something to run, and a
// thread that is woken; where nothing else runs all of it is theirs.
func (c *costView) resolvePolls() {
	if c.cpu == nil {
		return
	}
	bare, work := 0.0, 0.0
	for i := range c.cpu.set.Samples {
		s := &c.cpu.set.Samples[i]
		switch _, u := c.x.t.UserFrame(s.Stack); {
		case s.Class.GC() || s.Class == stacks.Scavenge:
		case u < 0 && slices.Contains(schedulerClasses(), s.Class):
			bare += float64(c.cpu.weight(s))
		default:
			work += float64(c.cpu.weight(s))
		}
	}
	bare -= c.yield // a line's already, or the sweeper's
	polls := c.row("goroutine-busy-poll")
	for k, l := range c.byLine {
		if id, ok := l.topCall(); k.kind == polls && ok && c.x.t.Func(id).Does(known.Sleeps) && bare > 0 {
			l.cpu += bare / c.cpu.total * min(l.cpu*c.cpu.total/max(work, 1), 1)
		}
	}
}

// yielding is the line that calls Gosched most, by its samples; nil without any.
func (c *costView) yielding() *lineCost {
	spin := c.row("cpu-spin")
	var most *lineCost
	for k, l := range c.byLine {
		id, ok := l.topCall()
		if k.kind != spin || !ok || !c.x.t.Func(id).Does(known.Yields) {
			continue
		}
		if most == nil || l.cpu > most.cpu || l.cpu == most.cpu && l.line < most.line {
			most = l
		}
	}
	return most
}

// yieldingGoroutine is the line where most goroutines are in Gosched, and its frame of Gosched.
func yieldingGoroutine(r *Reading) (line, call stacks.FrameID) {
	set := r.Goroutines()
	if set == nil {
		return stacks.NoFrame, stacks.NoFrame
	}
	calls := make(map[stacks.FrameID]stacks.FrameID)
	lines := stacks.SumBy(set, set.Count(),
		func(s *stacks.Sample) (stacks.FrameID, bool) {
			id, i := r.Table.UserFrame(s.Stack)
			if i < 1 || !r.Table.Func(s.Stack[i-1]).Does(known.Yields) {
				return 0, false
			}
			calls[id] = s.Stack[i-1]
			return id, true
		})
	if len(lines) == 0 {
		return stacks.NoFrame, stacks.NoFrame
	}
	return lines[0].Key, calls[lines[0].Key]
}
