package diagnose

import (
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
			byChange("time.", "Sleep until the time has come", "At {line}: time.Sleep, a Timer or a Ticker wakes the "+
				"goroutine then. Where tens of microseconds count, sleep until just before, and spin for the rest.",
				"a wake-up comes some 50 µs late, more on a busy machine"),
			byChange("", "Wait for it", "At {line}: a channel, sync.Cond, sync.WaitGroup or context.Done wakes the "+
				"goroutine at the right time.", "a wake-up takes a few microseconds"),
			byChange("sync/atomic.", "Do not share the counter", "One for each worker or shard, 64 bytes apart; add "+
				"them up when you read.", "reading costs more"),
			byChange("runtime.Gosched", "Sleep between attempts", "time.Sleep with a growing pause, if nothing can "+
				"send a signal.", "it notices later"),
		},
		before: `for !done.Load() { runtime.Gosched() }`,
		after:  `<-done // a channel that is closed`,
	}.detector()
}

func goroutineBusyPoll() Detector {
	return costKind{
		id: "GO009", kind: "goroutine-busy-poll", title: "A goroutine polls instead of waiting", what: "Polling",
		looks: "Looks for receiving in a select with a default branch and for time.Sleep directly below lines of the " +
			"user's code, and for a select with several cases that takes half of its function's CPU or more and " +
			"neither receives, sends nor waits. Most of the cost of a short sleep is in the scheduler, without a " +
			"line above it: what is " +
			"seen here is the smaller part.",
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
			byChange("runtime.select", "Leave out the default branch",
				"At {line}: a select without default waits until one of its channels is ready; do the other work in "+
					"another goroutine, or in its own case.", "none"),
			byChange("", "Be told", "At {line}: let the producer send the work, close a channel, or signal a "+
				"sync.Cond.", "the producer must know about the consumer"),
			byChange("", "Poll less often", "A time.Ticker of tens of milliseconds, if the source cannot send a "+
				"signal.", "it notices later"),
		},
		before: `for { select { case j := <-jobs: run(j); default: time.Sleep(50 * time.Microsecond) } }`,
		after:  `for j := range jobs { run(j) }`,
	}.detector()
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
