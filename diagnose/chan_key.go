package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

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
	least, most := r.NumbersWaiting(k.idles, stacks.WaitReceive)
	k.idle, k.working = least, max(k.working, float64(k.workers.Alive-least))
	return len(r.Moments()) > 1 && 2*least > k.workers.Alive && most < k.workers.Alive
}

func (k *keyedWork) finding(r *Reading) casefile.Finding {
	at, share := tracedPlace(k.waits), 1-k.working/k.waiting
	idle := fmt.Sprintf("%s of %s are idle", count(float64(k.idle)), count(float64(k.workers.Alive)))
	return casefile.Finding{Score: min(lockQueueScale().Score(k.waiting-k.working), capUnsure), Confidence: 0.8,
		Title: "Requests wait at " + at + " for one worker, while " + idle,
		Summary: fmt.Sprintf("On average %s requests wait at %s, and %s of %s have work; in each capture %s.",
			tenths(k.waiting), at, tenths(k.working), short(k.workers.Name), idle),
		Explanation: "Workers with a queue each take what is meant for them alone. Where one value of a key has most of " +
			"the work, its worker is full, and all else that falls to it waits too: more workers change nothing.",
		Where: []casefile.Frame{tracedFrame(k.gives, share, "hands over the work"),
			tracedFrame(k.waits, share, "waits for the answer"), tracedFrame(k.idles, 0, "where workers are idle")},
		Evidence: addBasis(traceBasis(r), Basis(r.Goroutines())),
		Impact: casefile.Impact{Resource: effectLatency, Share: roundShare(share), Text: percent(share) + " of these waits",
			Gain: casefile.Gain{Low: roundShare(share / 2), High: roundShare(share), Arithmetic: "if idle workers take it"}},
		Remedies: []casefile.Remedy{doChange("Spread the work over the workers that are idle", fmt.Sprintf("At %s: choose "+
			"the worker by a key with more values; where no order matters, let all workers read one channel, so that whoever "+
			"is idle takes what comes.", tracedPlace(k.gives)), "what one worker did in turn may overlap")}}
}
