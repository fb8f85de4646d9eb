package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Waits of goroutines for what only they themselves could end: kinds of goroutine-deadlock.

// keptByParents finds a semaphore whose places are kept by goroutines that wait for their own children, which need one.
func keptByParents(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	q, ok := g.Parents()
	if !ok {
		return waitAnswer{}, false
	}
	h, n := q.Holders[0], q.Last()
	at, takes := r.Place(h.Past), lineText(r, q.First())
	return waitAnswer{waiters: q.Waiters, n: n, limit: capUnsure, score: deadlockScale().Score(float64(n)),
		title: fmt.Sprintf("%s wait for a place at %s, which others keep while they wait for them at %s",
			things(n, "goroutine"), takes, at),
		summary: fmt.Sprintf("%s have passed %s and wait at %s for goroutines that they have started; %s, those among them, "+
			"wait there for a place, in both captures. Nobody else has one: none will be given back.",
			things(q.HeldLast(), "goroutine"), takes, at, count(n)),
		impact: things(n, "goroutine") + " will not go on",
		why:    "As soon as all places are with those who wait for others that need one, nobody can go on.",
		places: append([]waitPlace{{at: h.Past, n: h.Last(), role: "keeps a place and waits"}},
			placesOfAll(q.Waiters, 3, "waits for one")...),
		remedies: []casefile.Remedy{
			doChange("Give the place back before waiting", fmt.Sprintf("Before %s: give back what was taken at %s, and keep a "+
				"place for the work itself alone.", at, takes), "none"),
			doChange("Do it in the same goroutine if no place is free", fmt.Sprintf("At %s: try to take one (TryAcquire, "+
				"TryGo, a select with default) before a goroutine is started, and else call the function.", takes), "none"),
		}}, true
}

// latched finds a pool of which all places are with those who wait for somebody that waits for a place.
func latched(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	last := len(g.Moments) - 1
	for _, pool := range awaitedPools(r) {
		waits, line := g.Latch(pool.Queue)
		if last < 1 || line == stacks.NoFrame || wait.Last(waits) < waitersLeast || usesPool(r, pool, last) || usesPool(r, pool, last-1) {
			continue
		}
		h, n := waits[0], wait.Last(waits)
		at, in, asks := lineText(r, h), callee(r, h), r.Place(line)
		return waitAnswer{waiters: waits, n: n, limit: noCap, score: deadlockScale().Score(float64(n)),
			title: fmt.Sprintf("Whoever has a connection of %s waits at %s for one who waits for a connection", pool.What, at),
			summary: fmt.Sprintf("%s wait in %s, those at %s among them, for one that is further on there, and waits for a "+
				"connection of %s at %s. Nobody uses one, in both captures: all are with those who wait.", things(n, "request"),
				in, at, pool.What, asks),
			impact: things(n, "request") + " will not go on",
			why: "As soon as all connections are with requests that wait for what another one is to prepare or load, and that " +
				"one needs a connection, none of them goes on. A larger pool makes it rarer.",
			places: append(placesOf(h, "waits, some with a connection"), waitPlace{at: line, role: "waits for a connection"}),
			remedies: []casefile.Remedy{
				doChange("Do not wait for it with a connection in hand", fmt.Sprintf("Before the transaction of %s begins: make or "+
					"load what %s waits for (at start-up, or outside of it), or do without what is shared there (an option such as "+
					"prepared statements, a cache, a singleflight), or see whether a newer release of it asks on the connection "+
					"that the request has.", at, in), "none"),
				doChange("More connections than requests that hold one", "A limit above the number of transactions in progress "+
					"at a time, with a bound for these, leaves one for who prepares.", "more load on the other side"),
			}}, true
	}
	return a, false
}

// poolOfItself finds workers that all wait for their own pool.
func poolOfItself(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	w, ok := g.Stuck()
	if !ok {
		return waitAnswer{}, false
	}
	p, n, waiting := w.Piles[0], count(wait.Last(w.Piles)), wait.Last(w.Waiters)
	at, root := lineText(r, p), short(r.Table.Func(w.Root).Name)
	a := waitAnswer{waiters: append(w.Waiters, w.Piles...), n: waiting, limit: capUnsure,
		score: deadlockScale().Score(float64(waiting)),
		title: fmt.Sprintf("The pool of workers waits for itself at %s: all %s do", at, n),
		summary: fmt.Sprintf("All %s goroutines of %s are in a task and wait at %s, in both captures, for what only such a "+
			"worker could do; none is left to do it. %s wait for the pool from outside, the most at %s.", n, root, at,
			things(waiting, "goroutine"), lineText(r, w.Waiters[0])),
		impact: things(waiting, "goroutine") + " will not be served again",
		why: "A task that hands work to its own pool and waits for it keeps its worker meanwhile. As soon as all workers " +
			"are in such tasks, nobody takes the work that they wait for. With more workers it takes longer until it happens.",
		remedies: []casefile.Remedy{
			doChange("A pool of its own for the inner work", fmt.Sprintf("For what is handed over at %s: a second pool, whose "+
				"tasks hand nothing over and so always end.", at), "more goroutines"),
			doChange("Do it in the task itself", fmt.Sprintf("At %s: call the function in place of handing it to the pool, or "+
				"hand it over without waiting and let the last one go on.", at), "less at the same time"),
		}}
	for _, p := range w.Piles[:min(2, len(w.Piles))] {
		a.places = append(a.places, placesOf(p, "a worker waits for its pool")...)
	}
	a.places = append(a.places, placesOfAll(w.Waiters, 3, "waits behind it")...)
	return a, true
}

// relocked finds a goroutine that waits for a lock in a callback that is called with it held.
func relocked(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	l, ok := g.Relocked()
	if !ok {
		return waitAnswer{}, false
	}
	n, callback := wait.Last(l.Waiters), l.Callback
	if l.Line != stacks.NoFrame && r.Table.Func(l.At).Owner == stacks.Dependency {
		callback = l.Line
	}
	at, inner, caller := r.Place(callback), r.Place(l.At), r.Place(l.Caller)
	a := waitAnswer{waiters: append(l.Waiters, l.Pile), n: n, limit: noCap, score: deadlockScale().Score(float64(n)),
		title: fmt.Sprintf("A callback waits at %s for the lock under which it is called", at),
		summary: fmt.Sprintf("%s calls %s with its lock held, and that waits at %s for the same lock, in both captures: it "+
			"waits for itself. %s wait for the lock behind it, and nobody else is in a function that could hold it.", caller, at,
			inner, things(n, "goroutine")),
		impact: things(n, "goroutine") + " will not run again",
		why: "A lock of package sync does not know who has it. Who asks for one that it holds waits for ever, and " +
			"everybody who needs the lock joins it, until the process is restarted.",
		remedies: []casefile.Remedy{
			doChange("Do not call back into it in the callback", fmt.Sprintf("At %s: use what the callback is given, keep a "+
				"count of your own, or do it in another goroutine or after the call has returned.", at), "none"),
			doChange("Call back after Unlock", fmt.Sprintf("At %s: collect under the lock what is to be told, unlock, and then "+
				"call. In a dependency, see whether a newer version does.", caller), "what is told may have changed meanwhile"),
		}}
	a.places = append([]waitPlace{{at: callback, n: l.Last(), role: "waits for the lock under which it is called"},
		{at: l.Caller, n: l.Last(), role: "calls back with the lock held"}}, placesOfAll(l.Waiters, 3, "waits behind it")...)
	return a, true
}

// lockedAgain finds a reader whose second RLock of an RWMutex waits behind a writer, which waits for that reader.
// Everybody who holds the lock is such a reader, in each capture, and the writer is in another method of the type.
func lockedAgain(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	owner := func(p *wait.Pile) string { return receiver(g.Table.Func(p.At).Name) }
	for _, q := range g.Queues() {
		p := q.First()
		other := func(h wait.Holder) bool { return h.Park != stacks.WaitRLock || owner(h.Pile) != owner(p) }
		if p.Park != stacks.WaitRLock || len(q.Holders) == 0 || !q.Holders[0].InAll() ||
			slices.ContainsFunc(q.Holders, other) {
			continue
		}
		w := slices.IndexFunc(g.Piles, func(w *wait.Pile) bool {
			return w.Park == stacks.WaitRWLock && owner(w) == owner(p) && w.InAll()
		})
		if w < 0 {
			continue
		}
		h, writer, n := q.Holders[0], g.Piles[w], q.Last()
		inside, again := r.Place(h.Past), r.Place(h.At)
		a := waitAnswer{waiters: q.Waiters, n: n, limit: noCap, score: deadlockScale().Score(float64(n)),
			title: fmt.Sprintf("Goroutines deadlock at %s: a reader takes its RWMutex twice", lineText(r, h.Pile)),
			summary: fmt.Sprintf("%s has the read lock since %s and waits for it again at %s. %s waits to write at %s, and "+
				"keeps new readers out until the first has gone. %s wait behind the two.", things(h.Last(), "goroutine"),
				inside, again, things(writer.Last(), "goroutine"), r.Place(writer.At), things(n, "goroutine")),
			why: "A writer that waits keeps new readers out. A second RLock of one that reads already is a new reader: " +
				"it waits for the writer, which waits for it, as soon as a writer comes in between.",
			remedies: []casefile.Remedy{
				doChange("RLock must not be taken again below itself", fmt.Sprintf("%s calls what locks again at %s: split it "+
					"into one that locks and one that does not. In a dependency, see newer versions.", inside, again), "none"),
				doChange("Keep the writer apart", fmt.Sprintf("Until then, around %s and %s: one sync.Mutex of your own around "+
					"each call, or a new value that is built aside and put in place through an atomic.Pointer.", lineText(r, h.Pile),
					lineText(r, writer)), "readers go one after the other, or changes cost a copy"),
			}}
		a.places = append(placesOf(h.Pile, "has the read lock, and asks again"), placesOf(writer, "waits to write")...)
		return a, true
	}
	return waitAnswer{}, false
}

// waitsForCaller finds a handler that waits for the library which called it: the library's loop stands in the handler,
// and what the handler and all requests wait for would come by that loop.
func waitsForCaller(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, p := range g.Piles {
		if !p.Request || !p.InAll() || !mostWait(g, p) {
			continue
		}
		c, ok := g.CalledBack(p)
		if !ok {
			continue
		}
		n, at := p.Last(), lineText(r, c.Pile)
		a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure, score: deadlockScale().Score(float64(n)),
			title: fmt.Sprintf("%s waits for the loop that called it, and %s wait behind it", at, waiting(g, n)),
			summary: fmt.Sprintf("%s called %s, which waits in %s: so do %s, at %s. What would end these waits comes by the "+
				"goroutines of that library, and they stand: one sends at %s, and nobody takes it.",
				r.Place(c.Stack[len(c.Stack)-1]), at, callee(r, c.Pile), waiting(g, n), lineText(r, p), r.Place(c.Loop.At)),
			why: "A library that calls handlers on the goroutine that receives, receives nothing while one runs. One that " +
				"waits for an answer of the same connection waits for ever, and with it everybody who waits for one.",
			remedies: []casefile.Remedy{
				doChange("Do not wait in the handler", fmt.Sprintf("At %s: start a goroutine for what waits "+
					"(go func() { … }()), or send without waiting for the acknowledgement; return from the handler at once.", at),
					"what it does may come in another order"),
				doChange("Let handlers run beside the loop", "If the library can call each handler on a goroutine of its own "+
					"(an option for the order of messages, or for the number of workers), turn that on.",
					"messages are handled in any order"),
			}}
		a.places = append(placesOf(c.Pile, "waits for the loop that called it")[:1], placesOf(p, "waits behind it")...)
		a.places = append(a.places, waitPlace{at: c.Loop.At, n: c.Loop.Last(), role: "cannot hand on what has come"})
		return a, true
	}
	return waitAnswer{}, false
}
