package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// maxHolders is how many goroutines may be seen inside the critical section for it to be one: a Mutex has one holder,
// and methods of several instances, or readers of an RWMutex, a few. More than a third of the waiters, and the I/O is
// not done under the lock.
const (
	maxHolders      = 8
	holdersOfQueue  = 3
	heldAgreeing    = 2 // captures
	minHeldInsiders = 1
)

func lockHeldIO() Detector {
	return Detector{
		ID:    "LK004",
		Kind:  "lock-held-io",
		Title: "A lock is held while waiting for the network, a disk or a sleep",
		Text: `Looks in goroutine profiles and dumps for goroutines that wait for a lock in a function, while another goroutine is
inside the same function, below the line where they wait, and waits for the network, a file, a sleep or another
service: it most likely holds the lock for as long as the other side takes. Everybody is then as slow as all of those
calls after each other.

Worth knowing from 10 waiters, hurting from 100, as lock-contention. Capped at 74 unless two captures agree; capped at
49 where the goroutine outside is in another method of the same receiver: it may not hold the lock then. More holders
than 8, or than a third of the waiters, are no holders: the call is outside of the lock.`,
		Needs:  needGoroutines(),
		Before: `c.mu.Lock(); defer c.mu.Unlock(); if v, ok := c.m[k]; ok { return v }; v := fetch(k); c.m[k] = v; return v`,
		After:  `c.mu.Lock(); v, ok := c.m[k]; c.mu.Unlock(); if !ok { v, _, _ = c.group.Do(k, func() (any, error) { return fetch(k) }); … } // golang.org/x/sync/singleflight`,
		Run:    runLockHeldIO,
	}
}

func runLockHeldIO(_ context.Context, r *Reading) Answer {
	var best *lockQueue
	var bestSet *stacks.Set
	agree, seen := make(map[stacks.FuncID]int), make(map[stacks.FuncID]time.Time)
	for _, set := range r.lockMoments() {
		for _, q := range r.lockQueues(set) {
			if !q.heldOutside() {
				continue
			}
			if agree[q.fn] == 0 || set.Taken.Sub(seen[q.fn]) >= time.Second { // a dump and a profile of one moment are one
				agree[q.fn]++
				seen[q.fn] = set.Taken
			}
			if best == nil || q.sameFunc && !best.sameFunc || q.sameFunc == best.sameFunc && q.n > best.n {
				best, bestSet = q, set
			}
		}
	}
	if best == nil {
		return Answer{}
	}
	limit := capNotice
	switch {
	case best.sameFunc && (agree[best.fn] >= heldAgreeing || 2*best.waiting >= best.n):
		limit = noCap
	case best.sameFunc:
		limit = capUnsure
	}
	score := min(lockWaiterScale().Score(float64(best.n)), limit)
	if score < worthKnowing {
		return Answer{}
	}
	return found(r.heldIOFinding(bestSet, best, score, agree[best.fn]))
}

// heldOutside keeps the holders that wait outside of the process, those of the waiters' own function if there are any.
func (q *lockQueue) heldOutside() bool {
	for _, want := range []bool{true, false} {
		var kept []holder
		n := int64(0)
		for _, h := range q.holders {
			// A method elsewhere that sleeps or waits in the poller is a background loop as likely as not.
			if h.outside && h.same == want && (want || h.wait != stacks.WaitSleep) {
				kept = append(kept, h)
				n += h.n
			}
		}
		if n >= minHeldInsiders && n <= maxHolders && n*holdersOfQueue <= q.n {
			q.holders, q.holding, q.sameFunc = kept, n, want
			return true
		}
	}
	return false
}

func (r *Reading) heldIOFinding(set *stacks.Set, q *lockQueue, score, captures int) casefile.Finding {
	total := float64(set.Total(stacks.ByValue(set.Value(set.Kind, "count"))))
	h := q.holders[0]
	doing := h.wait.String()
	if c := callsWhat(r.Table, h.stack); c != "" {
		doing = "waiting for " + c
	} else if fileIO(r.Table, h.stack) {
		doing = "reading or writing a file"
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("The lock at %s is held while %s", r.place(q.at), doing),
		Score:      score,
		Confidence: 0.8,
		Summary: fmt.Sprintf("%s goroutines wait for the lock at %s while one that has passed it is at %s, %s; seen in %d of %d captures.",
			count(float64(q.n)), r.place(q.at), r.place(h.at), doing, captures, max(captures, len(r.moments()))),
		Explanation: "A lock lets one goroutine through at a time. Held over a call that takes milliseconds it lets through a few hundred a second, whatever " +
			"the machine has; and when the other side hangs, so does everybody who needs the lock.",
		Where: []casefile.Frame{r.frame(h.at, float64(h.n)/max(total, 1), "holds the lock and waits outside"),
			r.frame(q.at, float64(q.n)/max(total, 1), "waits for the lock")},
		Evidence: basis(set),
	}
	switch {
	case !q.sameFunc:
		f.Confidence = 0.5
	case captures > 1:
		f.Confidence = 0.95
	}
	f.Impact = casefile.Impact{Resource: "latency", Share: roundShare(float64(q.n) / max(total, 1)),
		Text: fmt.Sprintf("%s goroutines wait behind one call", count(float64(q.n))),
		Gain: casefile.Gain{Low: roundShare(float64(q.n) / max(total, 1) / 2), High: roundShare(float64(q.n) / max(total, 1)),
			Arithmetic: fmt.Sprintf("without the call under the lock the %s waiters wait for it side by side, not after each other; half where they need the same answer", count(float64(q.n)))}}
	f.Remedies = []casefile.Remedy{
		doChange("Take the call out of the lock", fmt.Sprintf("At %s: copy under the lock what the call needs, unlock, call, lock again to store the result.", r.place(h.at)), "two may do the same call at once; the state may have changed meanwhile"),
		takePackage("Let one fetch for all who want the same", "golang.org/x/sync/singleflight joins concurrent calls for one key; other keys go on.", "all who wait share one failure"),
		doChange("Bound the call", "A context with a timeout around it, so that a peer that hangs cannot hold the lock.", "slow answers are lost"),
	}
	return f
}
