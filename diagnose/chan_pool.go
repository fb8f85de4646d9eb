package diagnose

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// A pool that the program made itself (a channel with connections, a semaphore, a sync.Cond) has no name that a profile
// shows, and requests that wait in a select may as well wait for news. An execution trace tells them apart: a place in
// a pool is given back by a request that has waited for one itself. News come from somebody else.

// ownPoolLeast is how many waits a trace must have of a pool.
const ownPoolLeast = 20

// An ownPool is what a trace says of a pool, means over its span.
type ownPool struct {
	at    traces.Frame // the user's line that waits for a place
	stack traces.Stack
	back  traces.Frame // that gives one back
	span  time.Duration

	waits, wakes, queued int64 // wakes are those of whom the wakers are known, queued of these who had waited
	waited               time.Duration
	kept                 traces.Spent // by those of queued
	p50, least           time.Duration
}

// ownPools are the pools of a trace for which requests wait, whatever they are for.
func ownPools(r *Reading) []*ownPool {
	s, pools := r.Summary(), groups[traces.Frame, ownPool]{}
	for _, w := range s.Blocking {
		at, ok := r.TracedLine(w.Stack)
		if !ok || !servesTraced(w.Stack) || awaitsMutex(w.Stack) || hasRole(w.Stack, known.TakesPlace) ||
			r.Traced(w.Stack[0]).Class.GC() || does(w.Stack, known.LocksFD) ||
			!slices.Contains([]string{"channel", "select", "lock"}, w.Reason) {
			continue
		}
		p, first := pools.of(at)
		if first {
			*p = ownPool{at: at, stack: w.Stack, span: s.Span, p50: w.Times.P50, least: w.Times.Min}
		}
		p.add(r, w)
	}
	return slices.DeleteFunc(pools.all, func(p *ownPool) bool { return p.waits < ownPoolLeast || 2*p.queued < p.wakes })
}

func (p *ownPool) add(r *Reading, w traces.Wait) {
	p.waits += w.Times.Count
	p.waited += w.Times.Total + w.Open
	p.least = min(p.least, w.Times.Min)
	for _, by := range w.Wakers {
		p.wakes += by.Count
		p.queued += by.Queued
		p.kept = p.kept.Plus(by.Kept)
		if line, ok := r.TracedLine(by.Stack); ok && p.back.Function == "" {
			p.back = line
		}
	}
}

// waiting and using are the mean numbers of goroutines, the latter by Little's law: places given back a second, times
// how long one is kept.
func (p *ownPool) waiting() float64 { return p.waited.Seconds() / p.span.Seconds() }
func (p *ownPool) using() float64   { return p.perSecond() * p.keeps().Seconds() }

// perSecond is how many places are given to those who wait. A trace has no stack of who waited when it began, and so
// only the waits of those who came later: the first of them ends when it has lasted for the shortest of all.
func (p *ownPool) perSecond() float64 {
	return float64(p.waits) / max(p.span-p.least, p.span/10).Seconds()
}

func (p *ownPool) keeps() time.Duration { return p.kept.Sum() / time.Duration(max(p.queued, 1)) }

// computes reports whether those who have a place need a processor for most of the time: then the pool bounds how many
// compute at a time, as it should.
func (p *ownPool) computes() bool {
	return 2*(p.kept.Running+p.kept.Assist+p.kept.Runnable) > p.kept.Sum()
}

// doing is what those who have a place wait for most.
func (p *ownPool) doing() string {
	names := []string{"the network", "system calls", "a sleep", "a lock", "another goroutine"}
	took := []time.Duration{p.kept.Network, p.kept.Syscall, p.kept.Sleep, p.kept.Lock, p.kept.Channel + p.kept.Select}
	return names[slices.Index(took, slices.Max(took))]
}

// boundsWork reports whether a trace shows that a line takes a place of a pool whose users compute: who waits there
// waits for a processor, and would elsewhere.
func boundsWork(r *Reading, at stacks.FrameID) bool {
	return slices.ContainsFunc(ownPools(r), func(p *ownPool) bool {
		return p.computes() && r.IsAt(at, p.at)
	})
}

// fullPool is the pool for which most requests wait, if it is worth knowing.
func fullPool(r *Reading) (f casefile.Finding, at traces.Frame, ok bool) {
	// somebody has a place for half of the time: others wait for a turn in an order, or for a lock that is taken at once
	pools := slices.DeleteFunc(ownPools(r), func(p *ownPool) bool {
		return p.computes() || 2*p.using() < 1 || p.waiting() < queueLeast*p.using()
	})
	p := mostOfAll(pools, func(p *ownPool) float64 { return float64(p.waited) })
	if p == nil {
		return f, at, false
	}
	f = p.finding(r, min(lockQueueScale().Score(p.waiting()), capUnsure))
	f.Evidence = traceBasis(r)
	if set := r.Goroutines(); set != nil {
		f.Evidence = addBasis(f.Evidence, Basis(set))
	}
	return f, p.at, f.Score >= worthKnowing
}

func (p *ownPool) finding(r *Reading, score int) casefile.Finding {
	at, using := tracedPlace(p.at), p.using()
	in := p.waiting() / (p.waiting() + using)
	f := casefile.Finding{
		Title: fmt.Sprintf("%s requests wait for one of %s places at %s", count(math.Round(p.waiting())),
			count(p.places()), at),
		Score: score, Confidence: 0.9,
		Summary: fmt.Sprintf("On average %s requests wait at %s, half of them %s or longer, for a place that a "+
			"request before them gives back at %s; %s are in use, each for %s, most of it waiting for %s, so that %s "+
			"a second get through.", count(p.waiting()), at, seconds(p.p50), tracedPlace(p.back),
			tenths(using), seconds(p.keeps()), p.doing(), count(p.perSecond())),
		Explanation: "When all places of a pool are in use, a request waits for all that came before, and most of what it " +
			"takes is that wait, while those that have a place wait for somebody else and the CPU is free.",
		Where: []casefile.Frame{tracedFrame(p.at, in, "waits for a free place"),
			tracedFrame(p.back, in, "gives one back")},
		Remedies: p.remedies(r, at),
		Impact: onLatency(in, percent(in)+" of the time of these requests is the wait for one", halfAtLeast(in, "with as "+
			"many places as are needed the wait ends; half of that if what is behind it becomes slower with more at a time")),
	}
	if by, ok := tracedCaller(r, p.stack, p.at); ok && by.Function != p.back.Function {
		f.Where = append(f.Where, tracedFrame(by, in, "calls it"))
	}
	return f
}

// places is the size of the pool: all are in use while requests wait.
func (p *ownPool) places() float64 { return max(math.Round(p.using()), 1) }

func (p *ownPool) remedies(r *Reading, at string) []casefile.Remedy {
	enough := max(enoughFor(r, p.waiting(), p.using(), p.perSecond()), p.places()+1)
	out := []casefile.Remedy{
		withSets(casefile.SetsPlaces, setValue(fmt.Sprintf("Make it %s places instead of %s", count(enough),
			count(p.places())), fmt.Sprintf(
			"The pool of %s: by Little's law %s requests a second, each with a place for %s, use %s; without the wait "+
				"as many more would come as wait now, and %s are enough for them, with room for random arrivals. As "+
				"far as what is behind it has room for, for all instances of the service together.", at,
			count(p.perSecond()), seconds(p.keeps()), tenths(p.using()), count(enough)),
			"more load on what is behind it")),
		doChange("Keep a place for less", fmt.Sprintf("Between %s and %s: only the call that needs it, with nothing "+
			"else that waits; one call for many where the other side can.", at, tracedPlace(p.back)), "more code"),
	}
	if p.places() == 1 { // it may be a lock: with two places what it guards is not guarded
		slices.Reverse(out)
		out[1].Text = "If the one place guards no data. " + out[1].Text
	}
	return out
}

// pastLine is how many requests are below the user's lines of a stack in the same functions, and do something.
func pastLine(r *Reading, set *stacks.Set, stack []stacks.FrameID, do func(*stacks.Sample, stacks.Wait) bool) (
	n int64) {
	count := set.Count()
	for i := range set.Samples {
		s := &set.Samples[i]
		past := slices.ContainsFunc(stack, func(at stacks.FrameID) bool {
			return r.Table.Func(at).Owner == stacks.User &&
				slices.ContainsFunc(s.Stack, func(id stacks.FrameID) bool { return below(r.Table, id, at) })
		})
		if past && serves(r.Table, s.Stack) && do(s, set.Wait(i)) {
			n += count(s)
		}
	}
	return n
}

// A keyedWork is requests that wait for one of several workers while the others are idle. Workers that all read one
// queue never are: work was given to one of them before anybody knew who is idle, by the hash of a key, or in turn.
type keyedWork struct {
	waits, gives, idles traces.Frame // where requests await the answer, hand over work, and workers have none
	workers             traces.GoroutineType
	idle                int64   // of the workers, in each capture
	waiting, working    float64 // means: requests that wait, for work in progress too; workers that have work
}

// keyedWorks finds those with the longest queue.
func keyedWorks(r *Reading) (most keyedWork, ok bool) {
	s := r.Summary()
	for _, w := range s.Blocking {
		at, by, receives := receivesTraced(r, w)
		g := slices.IndexFunc(s.Goroutines, func(g traces.GoroutineType) bool { return g.Name == by.Goroutine })
		if !receives || !servesTraced(w.Stack) || w.Times.Count < ownPoolLeast || g < 0 {
			continue
		}
		k := keyedWork{waits: at, workers: s.Goroutines[g], waiting: float64(w.Times.Total+w.Open) / float64(s.Span)}
		for _, idle := range s.Blocking {
			k.working = float64(k.workers.Spent.Sum()-k.workers.Spent.Other-idle.Times.Total-idle.Open) / float64(s.Span)
			if k.waiting > most.waiting && k.handed(r, w, idle) && k.standIdle(r) && k.waiting >= queueLeast*k.working {
				most, ok = k, true
			}
		}
	}
	return most, ok
}

// handed reports whether a wait is that of workers whom requests wake, where these await the answer or on the way to
// there. All together have work for half of one's time at least: a loop that passes on news has hardly any.
func (k *keyedWork) handed(r *Reading, awaits, idle traces.Wait) (ok bool) {
	idles, by, receives := receivesTraced(r, idle)
	k.idles = idles
	k.gives, ok = r.TracedLine(by.Stack)
	return receives && ok && servesTraced(by.Stack) && idle.Stack[len(idle.Stack)-1].Function == k.workers.Name &&
		(by.Stack.Has(k.waits.Function) || awaits.Stack.Has(k.gives.Function)) && 2*k.working >= 1
}

// standIdle reports whether most of the workers are idle in each of two captures, and never all. As many as these show
// at work are at work: a trace has no line of a wait that began before it.
func (k *keyedWork) standIdle(r *Reading) bool {
	least, most := numbersWaiting(r, k.idles, stacks.WaitReceive)
	k.idle, k.working = least, max(k.working, float64(k.workers.Alive-least))
	return len(r.Moments()) > 1 && 2*least > k.workers.Alive && most < k.workers.Alive
}

func (k *keyedWork) finding(r *Reading) casefile.Finding {
	at, share := tracedPlace(k.waits), 1-k.working/k.waiting
	idle := fmt.Sprintf("%s of %s are idle", count(k.idle), count(k.workers.Alive))
	return casefile.Finding{Score: min(lockQueueScale().Score(k.waiting-k.working), capUnsure), Confidence: 0.8,
		Title: "Requests wait at " + at + " for one worker, while " + idle,
		Summary: fmt.Sprintf("On average %s requests wait at %s, and %s of %s have work; in each capture %s.",
			tenths(k.waiting), at, tenths(k.working), short(k.workers.Name), idle),
		Explanation: "Workers with a queue each take what is meant for them alone. Where one value of a key has most of " +
			"the work, its worker is full, and all else that falls to it waits too: more workers change nothing.",
		Where: []casefile.Frame{tracedFrame(k.gives, share, "hands over the work"),
			tracedFrame(k.waits, share, "waits for the answer"), tracedFrame(k.idles, 0, "where workers are idle")},
		Evidence: addBasis(traceBasis(r), Basis(r.Goroutines())),
		Impact:   onLatency(share, percent(share)+" of these waits", halfAtLeast(share, "if idle workers take it")),
		Remedies: []casefile.Remedy{doChange("Spread the work over the workers that are idle", fmt.Sprintf("At %s: choose "+
			"the worker by a key with more values; where no order matters, let all workers read one channel, so that whoever "+
			"is idle takes what comes.", tracedPlace(k.gives)), "what one worker did in turn may overlap")}}
}
