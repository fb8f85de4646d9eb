package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// heldInside finds a lock of a dependency for which most requests in progress wait, while those that are further along
// in the function that takes it wait for something outside the process.
func heldInside(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, q := range g.Queues() {
		p := q.First()
		if p.For != wait.Lock || !p.Request || g.Table.Func(p.At).Owner != stacks.Dependency || !mostWait(g, q.Waiters...) ||
			q.HeldLast() > maxHolders {
			continue
		}
		for _, h := range q.Holders {
			if h.For.Outside() {
				return insideAnswer(r, g, q, h), true
			}
		}
	}
	return waitAnswer{}, false
}

func insideAnswer(r *Reading, g *wait.Graph, q *wait.Queue, h wait.Holder) waitAnswer {
	p, n := q.First(), lastWaiting(g, q)
	inside := r.Place(p.At)
	a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p),
		title: fmt.Sprintf("%s wait for a lock at %s, which is held while waiting for %s at %s", waiting(g, n), inside,
			outsideWords(h.Pile), lineText(r, h.Pile)),
		summary: fmt.Sprintf("%s wait for a lock at %s. %s further along, at %s, and wait for %s at %s with the lock held: "+
			"requests go through one after another, each as long as that takes.", waiting(g, n), inside,
			things(float64(h.Last()), "goroutine")+" are", r.Place(h.Past), outsideWords(h.Pile), lineText(r, h.Pile)),
		why: "The lock is the dependency's own, and is held around a call of code that was given to it: a store, a " +
			"callback, a connection. It cannot be taken for less; what is called under it can answer at once, or the " +
			"dependency can be replaced by one that has a lock by key or none.",
		remedies: []casefile.Remedy{
			doChange("Do no I/O under the lock", fmt.Sprintf("Give %s something that answers from memory: counters in this "+
				"process, exchanged with the store in the background. %s is called with the lock held.",
				callee(r, p), lineText(r, h.Pile)), "several instances agree later"),
			doChange("Take another implementation", fmt.Sprintf("One that has a lock by key, or leaves counting to the store's "+
				"own atomic operation (INCR), in place of %s.", callee(r, p)), "another dependency"),
		}}
	a.places = append(placesOf(h.Pile, "waits outside with the lock"), placesOf(p, "waits for the lock")...)
	return a
}
