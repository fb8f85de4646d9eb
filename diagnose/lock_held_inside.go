package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// heldInside finds a lock of a library, and not of a descriptor, for which most requests in progress wait, while those
// that are further along in the function that takes it wait for something outside the process.
func heldInside(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, q := range g.Queues() {
		p := q.First()
		owner := g.Table.Func(p.At).Owner
		if p.For != wait.Lock || !p.Request || owner != stacks.Dependency && owner != stacks.Std ||
			!mostWait(g, q.Waiters...) || q.HeldLast() > maxHolders || g.ForDescriptor(p) {
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
	p, n := q.First(), q.Last()
	inside := r.Place(p.At)
	a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p),
		title: fmt.Sprintf("%s wait for a lock at %s, which is held while waiting for %s at %s", waiting(g, n), inside,
			outsideWords(h.Pile), lineText(r, h.Pile)),
		summary: fmt.Sprintf("%s wait for a lock at %s. %s further along, at %s, and wait for %s at %s with the lock held: "+
			"requests go through one after another, each as long as that takes.", waiting(g, n), inside,
			things(float64(h.Last()), "goroutine")+" are", r.Place(h.Past), outsideWords(h.Pile), lineText(r, h.Pile)),
		why: "The lock is the library's own, and cannot be taken for less: what is done while it is held decides how many " +
			"requests go through.",
		remedies: lockedRemedies(r, g, p, h)}
	a.places = append(placesOf(h.Pile, "waits outside with the lock"), placesOf(p, "waits for the lock")...)
	return a
}

// lockedRemedies are what helps, by what the library does with its lock held: it writes, it runs a function that is
// given to it at the line that waits, it calls what it was given before (a store, a connection), or it asks by itself.
func lockedRemedies(r *Reading, g *wait.Graph, p *wait.Pile, h wait.Holder) []casefile.Remedy {
	at, out := lineText(r, p), lineText(r, h.Pile)
	switch {
	case h.For == wait.Disk:
		return insideLockRemedies(g.Table.Func(p.At), at)
	case h.For == wait.Unread || h.For == wait.Pipe:
		return []casefile.Remedy{
			doChange("Hand it to one goroutine that writes", fmt.Sprintf("At %s: put what is written into a buffered channel, "+
				"and drop and count it when that is full; one goroutine takes it out and writes, so that no request waits for "+
				"who reads it.", at), "what does not fit is lost"),
			doChange("Make the other side read faster", "What is written by "+callee(r, p)+" comes faster than it is read "+
				"there: read it at once, write less, or give up on it with a deadline for each write.", "none")}
	case g.GivenHere(p, h):
		return []casefile.Remedy{
			doChange("Make the call before the lock is taken", fmt.Sprintf("At %s: %s runs the function that is given to it "+
				"with its lock held, and that waits at %s. Call first and hand over what came; who only reads takes what is "+
				"there, while one goroutine renews it.", at, callee(r, p), out), "what is there may be a little older"),
			remediesAt(out, heldRemedies()[1])[0]}
	case g.GivenBefore(h):
		return []casefile.Remedy{
			doChange("Do no I/O under the lock", fmt.Sprintf("Give %s something that answers from memory: counters in this "+
				"process, exchanged with the store in the background. %s is called with the lock held.",
				callee(r, p), out), "several instances agree later"),
			doChange("Take another implementation", fmt.Sprintf("One that has a lock by key, or leaves counting to the store's "+
				"own atomic operation (INCR), in place of %s.", callee(r, p)), "another dependency")}
	}
	return append(libraryLock(g.Table.Func(p.At), at),
		doChange("Let it ask less often, and not in requests", fmt.Sprintf("What %s asks for at %s is asked for with the "+
			"lock held: let it last longer, and renew it in a goroutine before it expires, so that requests find it there.",
			r.Place(p.At), out), "what is there may be a little older"),
		doChange("Bound the call", "A Client.Timeout or a context with a deadline for it, so that a peer that hangs does "+
			"not hold the lock.", "slow answers are lost"))
}

// A caller cannot split a lock inside a library or shorten the time for which it is held. It can only call less often,
// or differently.

// insideLockRemedies are for a lock of fn's, reached at a line of the user's.
func insideLockRemedies(fn *stacks.Func, at string) []casefile.Remedy {
	return append(libraryLock(fn, at),
		doChange("Call it less", fmt.Sprintf("At %s: the lock is inside %s. Keep its results, pass it many items at "+
			"once, or call it outside the code that runs in parallel.", at, short(fn.Name)), "none"),
		doChange("Have several of it", fmt.Sprintf("If %s has its own state, use one instance per worker or shard: "+
			"each has its own lock.", short(fn.Name)), "memory, and there is no consistent view of all of them"),
	)
}

// libraryLock is what is known to help with a lock of fn's; none of most.
func libraryLock(fn *stacks.Func, at string) []casefile.Remedy {
	for _, l := range known.LibraryLocks() {
		if strings.HasPrefix(fn.Name, l.Prefix) {
			return []casefile.Remedy{doChange(l.Title, fmt.Sprintf(l.Text, at), l.Price)}
		}
	}
	return nil
}
