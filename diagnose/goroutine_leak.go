package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// leakedScale is in goroutines that are proved never to run again. One is a fault that will recur; a thousand hold 8 MB
// of stacks and everything they refer to.
func leakedScale() Scale { return Scale{Worth: 1, Hurts: 1000, Top: 100_000} }

// leakRateScale is in goroutines a day that start and do not end. A thousand a day go unnoticed between two releases;
// 100,000 a day hold about a GB with 8 KiB of stack each and the memory they refer to.
func leakRateScale() Scale { return Scale{Worth: 1000, Hurts: 100_000, Top: 10_000_000} }

// stuckPile is how many goroutines a dump must show that have waited for minutes at one place, before this is called a
// leak.
const stuckPile = 10

// maxLeaks limits the places that are checked. The worst three are reported.
const maxLeaks = 20

func goroutineLeak() Detector {
	return Detector{
		ID: "GO002", Kind: "goroutine-leak",
		Title: "Goroutines are started and never end",
		Text: `A leaked goroutine waits for something that will never happen. A constant number of workers is no
finding. The goroutineleak profile of the runtime (Go 1.27, or 1.26 with GOEXPERIMENT) is proof, and so are several that
wait on a nil channel: worth knowing from one, hurting from 1,000.

In two captures: goroutines at one place that wait for others, are no requests, and grew by 10 and by more than those
that come and go scatter, or of which a trace sees many begin and none end. Worth knowing from 1,000 a day, hurting from
100,000 (about 1 GB); capped at 74 unless three captures or the vitals show the same, or they wait in a send. Undecided
if connections and requests rose with them, or the growth slows down. So do requests whose client has gone, connections
that a library reads, and runs that begin by the clock. Ten senders from whom no goroutine of the program could receive,
up to 74; what tripped a rule, and stays, is a notice.

Where a library started them, the place is the user's line that called what started them, and the remedy is to end what
that call returned.`,
		Needs: needGoroutines(stacks.GoroutineLeak),
		Before: `go func() { answers <- ask(backend) }() // the second answer finds no reader: blocked forever
return <-answers`,
		After: `answers := make(chan string, 2) // room for every answer
go func() { answers <- ask(ctx, backend) }()`,
		Explains: related(nil, "mem-leak", "mem-stacks", "mem-limit-near", "fd-limit"),
		Absorbs:  related(SameFunction, "mem-leak"),
		Waits:    knowsSince, Settles: []string{"mem-leak"}, NeedsPlace: true,
		Follows: "goroutines that wait for what never comes do not end", Effect: "Goroutines pile up",
		Run: runGoroutineLeak,
	}
}

func runGoroutineLeak(_ context.Context, r *Reading) Answer {
	proved, set := provedLeaks(r), r.Goroutines()
	if set == nil || r.waits().Awaiting(wait.Collector) >= riseLeast {
		// Allocations wait for the collector, which has no processor: whatever waits for them ends with it.
		return Answer{Findings: worst(proved, 3)}
	}
	out := append(proved, abandonedLeaks(r, proved)...)
	var unsure []casefile.Undecided
	var readers []casefile.Finding // of connections: what else leaks has them, too
	for _, from := range slices.Compact([]*stacks.Set{set, lastMoment(r)}) {
		for _, p := range r.Piles(from) {
			if len(out) >= maxLeaks || p.N < riseLeast {
				break // they come in falling order
			}
			if from != set && r.NumberAt(set, p.At) >= riseLeast || !mayLeak(r, p) || alreadyProved(r, proved, p) ||
				behindCallback(r, p) {
				continue
			}
			if f, why, ok := leakFinding(r, from, p); ok && p.Wait == stacks.WaitNetwork {
				readers = append(readers, f)
			} else if ok {
				out = append(out, f)
			} else if why != "" && len(unsure) == 0 {
				unsure = undecided(why, captureTwoGo).Undecided
			}
		}
	}
	if len(out) == 0 {
		out = readers
	}
	if len(out) > 0 {
		unsure = nil
	}
	return Answer{Findings: worst(begunOnce(out), 3), Undecided: unsure}
}

// lastMoment is the last goroutine evidence. Only there may a slow leak have just ten goroutines. The dump that is
// judged first, because of its times, may be minutes older.
func lastMoment(r *Reading) *stacks.Set {
	all := r.Moments()
	return all[len(all)-1]
}

// mayLeak leaves out what other detectors judge: requests, what a library runs beside their calls, connections of the
// standard library, waits for locks, for a connection of a pool, and for the network (but see opensAgain and begunRun).
func mayLeak(r *Reading, p *view.Pile) bool {
	active := p.Wait == stacks.WaitUnknown && showsParking(r) // or is about to be
	// a pool's owner has no channel to close: connections are few, or were not returned
	begins, run := begunRun(r, p)
	run = run && r.Table.Func(begins).Owner == stacks.User
	stays := parked(p.Wait) || p.Wait == stacks.WaitSleep || opensAgain(r, p) || run
	if active || waitsForPool(r, p) || !stays || p.Wait.ForLock() ||
		serves(r.Table, p.Stack) || hasFrame(r.Table, p.Stack, connectionFrames()...) || r.waits().Attends(p.Stack) {
		return false
	}
	by, started := mostOf(p.Started)
	_, begun := begunBy(r, p) // by a call into the standard library
	_, ends := endKnown(r, p)
	return p.User || begun || ends || r.Table.Func(p.At).Owner == stacks.Dependency ||
		started && r.Table.Func(by).Owner == stacks.User
}

// opensAgain reports whether a library's goroutines read from connections that no request is there for: requests and
// other connections are half as many at most.
func opensAgain(r *Reading, p *view.Pile) bool {
	return p.Wait == stacks.WaitNetwork && !p.User && r.Table.Func(p.At).Owner == stacks.Dependency &&
		2*connections(r, lastMoment(r), p) < p.N
}

// showsParking reports whether the evidence keeps the runtime's frames, which show that a goroutine waits. The debug=1
// text leaves them out.
func showsParking(r *Reading) bool {
	return slices.ContainsFunc(r.Table.Funcs, func(f stacks.Func) bool { return f.Does(known.Parks) })
}

// provedLeaks are goroutines that are certain to stay: those of a goroutineleak profile (of two the larger one: a leak
// behind a mutex is missed the first time), and those that wait on a nil channel, to which nobody can ever send.
func provedLeaks(r *Reading) (out []casefile.Finding) {
	if sets := r.Best(stacks.GoroutineLeak); len(sets) > 0 {
		all := func(s *stacks.Set) int64 { return s.Total(s.Count()) }
		best := slices.MaxFunc(sets, func(a, b *stacks.Set) int { return cmp.Compare(all(a), all(b)) })
		for _, p := range r.Piles(best) {
			if !p.Wait.ForLock() { // goroutine-deadlock
				out = append(out, provedLeak(r, best, p, fmt.Sprintf("nobody who runs refers to what they wait for (%s)", p.Wait)))
			}
		}
	}
	set := r.Goroutines()
	for _, p := range r.Piles(set) {
		if p.Wait == stacks.WaitNilChan && p.N > 1 { // one may be meant to wait for ever, as for Done of context.Background
			f := provedLeak(r, set, p, "the channel they wait on is nil")
			f.Remedies[0] = doChange("Make the channel before it is used", fmt.Sprintf("At %s the channel is nil: "+
				"make(chan T) where the variable or the struct is made, on every path that leads here. In a select a "+
				"nil channel is fine, alone it blocks for ever.", r.Place(p.At)), "none")
			out = append(out, f)
		}
	}
	return out[:min(len(out), maxLeaks)]
}

func provedLeak(r *Reading, set *stacks.Set, p *view.Pile, why string) casefile.Finding {
	f := leakText(r, set, p, fmt.Sprintf("%s goroutines at %s can never run again: %s", count(p.N), r.Place(p.At), why))
	f.Score, f.Confidence = leakedScale().Score(float64(p.N)), 0.99
	if g := riseAt(r, p); g.significant && set.Kind == stacks.GoroutineLeak {
		f.Score = max(f.Score, leakRateScale().Score(g.perDay()))
		f.Summary += fmt.Sprintf(" Goroutines there: %s.", g)
	}
	return f
}

func alreadyProved(r *Reading, proved []casefile.Finding, p *view.Pile) bool {
	return slices.ContainsFunc(proved, func(f casefile.Finding) bool {
		return hasPlace(f.Where[:min(len(f.Where), 2)], r.Frame(p.At, 0, ""))
	})
}

func riseAt(r *Reading, p *view.Pile) rise {
	return riseOver(r, func(s *stacks.Set) int64 { return r.NumberAt(s, p.At) })
}

// leakFinding judges a pile by its growth, by the goroutines that could end its waiting, and by its ages in a dump.
// Without a finding it says why it cannot tell, if it cannot.
func leakFinding(r *Reading, set *stacks.Set, p *view.Pile) (f casefile.Finding, unsure string, ok bool) {
	g, score, limit, why := riseOf(r, p), 0, capUnsure, ""
	if more := g.after - g.before; g.steadily && !g.significant && more >= riseLeast {
		switch files := filesWith(r, g); {
		case unread(r, p):
			g.significant, why = true, "each needs a reader of its own, and all others are fewer than half as many"
		case files > 0:
			g.significant, why = true, fmt.Sprintf("open files and connections rise by as many, %s, in a straight line",
				count(files))
		case nonePasses(r, p):
			g.significant, why = true, "in the trace many begin, and none of all there are ends"
		}
	}
	if g.significant && g.steadily {
		if why := passing(r, p, g); why != "" {
			return f, fmt.Sprintf("goroutines at %s, %s, grew in number (%s); %s", r.Place(p.At), p.Wait, g, why), false
		}
	}
	switch {
	case g.significant && g.steadily:
		score = leakRateScale().Score(g.perDay())
		why = joined(g.String()+", "+g.rate(), why)
		if sureOfGrowth(r, set, p, g) {
			limit = noCap
		}
	case nobodyReceives(r, set, p):
		score = leakedScale().Score(float64(p.N))
		why = "no goroutine of the program is seen that could receive from them"
	case isStuck(p) && p.N >= stuckPile && !g.known():
		score = leakedScale().Score(float64(p.Waiting))
	case cameToStay(r, p, g):
		score, limit = leakedScale().Score(float64(p.N)), capNotice
		why = fmt.Sprintf("they came since the vitals began, and none has left between the captures (%s)", g)
	}
	if score < worthKnowing {
		return f, "", false
	}
	f = leakText(r, set, p, joined(fmt.Sprintf("%s goroutines are at %s, %s", count(p.N), r.Place(p.At),
		p.Wait), why, pileAge(p)))
	f.Score, f.Confidence = min(score, limit), 0.9
	if limit < noCap {
		f.Confidence = 0.7
	}
	return f, "", true
}

// nonePasses reports whether a trace has seen goroutines of a pile begin, and none of all there are end: they have not
// grown in number by chance.
func nonePasses(r *Reading, p *view.Pile) bool {
	root, ok := mostOf(p.Root)
	return ok && slices.ContainsFunc(r.Summary().Goroutines, func(t traces.GoroutineType) bool {
		return t.Name == r.Table.Func(root).Name && t.Alive == t.Number && t.Number >= p.N/2
	}) && slices.ContainsFunc(r.Summary().Created, func(c traces.GoroutinesFrom) bool {
		return c.Starts == r.Table.Func(root).Name && c.Number >= riseLeast
	})
}

// passing says why a growth may be temporary; "" if nothing shows that.
func passing(r *Reading, p *view.Pile, g rise) string {
	if before, after, ok := tied(r, p, g); ok {
		return fmt.Sprintf("so did connections and requests, from %s to %s: each may have its own goroutines, which "+
			"end with it", count(before), count(after))
	}
	if isWave(r, g) {
		return "the number of all goroutines has been as high before, and fell by as many: they come and go in waves"
	}
	if d, ok := driftOver(r); ok && d.slows {
		return "the growth is slowing down, as in anything that fills up to a level"
	}
	return ""
}

// sureOfGrowth reports whether more than two captures show that a pile grows and will continue: a third one; the vitals
// over a minute; or at once a wait that sessions do not have: in a send that no receiver is slow for, or for others.
func sureOfGrowth(r *Reading, set *stacks.Set, p *view.Pile, g rise) bool {
	long := len(r.Vitals) > 0 && r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time) >= time.Minute
	switch p.Wait {
	case stacks.WaitSend:
		if id, _, _ := reader(r, set, p); id == stacks.NoFrame {
			return true
		}
	case stacks.WaitGroup, stacks.WaitCond, stacks.WaitSemaphore:
		long = true
	}
	d, ok := driftOver(r) // the vitals show that the whole process gained as many goroutines
	return g.captures > 2 || long && ok && 2*d.change >= float64(g.after-g.before) && d.change >= max(riseLeast, d.chance)
}

// nobodyReceives reports whether a pile sends and no capture shows a goroutine that could receive: one in the program's
// own code that is not a request (it has its own channel), and not in a function of the senders.
func nobodyReceives(r *Reading, set *stacks.Set, p *view.Pile) bool {
	return p.Wait == stacks.WaitSend && p.N >= stuckPile && set.Kind == casefile.Goroutine &&
		!slices.ContainsFunc(r.All(casefile.Goroutine), func(s *stacks.Set) bool {
			return slices.ContainsFunc(mayRead(r, s, p), func(q *view.Pile) bool { return !awaitsToBeAsked(r.Table, q.Stack) })
		})
}

// functionsOf are the program's functions on the stacks of a pile. The goroutines do not wait for any of these.
func functionsOf(r *Reading, p *view.Pile) map[stacks.FuncID]bool {
	out := make(map[stacks.FuncID]bool)
	for _, id := range slices.AppendSeq(slices.Clone(p.Stack), maps.Keys(p.Root)) {
		if r.Table.Func(id).Owner == stacks.User {
			out[r.Table.FuncID(id)] = true
		}
	}
	return out
}

// cameToStay reports whether goroutines at one place are why their number tripped a rule: most came while the vitals
// were watched, none is missing in the second capture, and the connection or request of each is gone.
func cameToStay(r *Reading, p *view.Pile, g rise) bool {
	if !trippedBy(r, vitals.Goroutines) || !g.known() || g.after < g.before || len(r.Vitals) == 0 {
		return false
	}
	first, known := r.Vitals[0].Get(vitals.Goroutines)
	came := float64(p.N) - first
	return known && came >= max(riseLeast, float64(p.N)/2) && 2*connections(r, lastMoment(r), p) < p.N
}

// known reports whether there were two captures or more.
func (g rise) known() bool { return g.captures > 1 }

// isOf reports whether goroutines are in one of some functions, or were started with one: what a waiter does before it
// waits.
func isOf(r *Reading, p *view.Pile, own map[stacks.FuncID]bool) bool {
	return slices.ContainsFunc(slices.AppendSeq([]stacks.FrameID{p.At}, maps.Keys(p.Root)), func(id stacks.FrameID) bool {
		return own[r.Table.FuncID(id)]
	})
}

func leakText(r *Reading, set *stacks.Set, p *view.Pile, summary string) casefile.Finding {
	f := pileFinding(r, set, p, fmt.Sprintf("Goroutines leak at %s: %s are left", r.Place(p.At), count(p.N)),
		"waits here forever", summary)
	total := max(float64(set.Total(set.Count())), 1)
	f.Impact.Gain = leakedGain(float64(p.N)/total, fmt.Sprintf("%s of %s goroutines end", count(p.N), count(total)))
	f.Explanation = "A goroutine ends only when its function returns. One that waits for something that never happens " +
		"stays as long as the process, with its stack (at least 2 KiB, 8 KiB or more after real work) and everything it " +
		"refers to, and the collector scans it in every cycle."
	if h, ok := ownerOf(r, p.At); ok {
		call := lineText(r, h.Pile)
		f.Title = fmt.Sprintf("%s goroutines at %s wait for one call at %s", count(p.N), r.Place(p.At), call)
		f.Where = append([]casefile.Frame{r.Frame(h.Line, 0, "the one call, which does not end")}, f.Where...)
		f.Remedies = oneCallRemedies(call, r.Place(p.At))
		return f
	}
	if by, ok := begunRun(r, p); ok {
		return runsOverlap(r, f, p, by)
	}
	f.Remedies = endsOf(r, p)
	if at, ok := otherSide(r, p); ok {
		f.Where = append(f.Where, tracedFrame(at, 0, "the other side, which wakes those that go on"))
	}
	if p.Wait == stacks.WaitGroup {
		f.Where[0].Part = awaitsPart
	}
	if _, inside := waitsInside(r, p.Stack); !inside && p.User {
		f.Remedies = append(f.Remedies, doChange("Give every goroutine an owner that waits for it", "Start them through "+
			"golang.org/x/sync/errgroup (or a sync.WaitGroup) with a context that is cancelled when the answer is no longer "+
			"needed, and wait before returning; go.uber.org/goleak in tests then finds the next one.",
			"the caller returns only when the slowest goroutine has seen the context end"))
	}
	return asBegun(r, f, p)
}

// youngerLeak is what part of its share of the goroutines a leak has at least in a process that is seconds old, as that
// of a proof is, because it has leaked for less time: in lab/fixes 0.82 to 1 of the share in evidence of a minute.
const youngerLeak = 0.8

// leakedGain is what ending leaked goroutines saves that are a share of all.
func leakedGain(share float64, arithmetic string) casefile.Gain {
	return saves(youngerLeak*share, share, arithmetic+fmt.Sprintf("; in a process that is younger they are a smaller "+
		"part, %s at least", percent(youngerLeak*share)))
}
