package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// placeQueue is the longest queue for places of a library's pool in which most requests wait. Of a semaphore in the
// user's own hands it is not known what its places are for: chan-bottleneck judges it.
func placeQueue(g *wait.Graph) (*wait.Queue, bool) {
	for _, q := range g.Queues() {
		p := q.First()
		if p.For == wait.Place && p.Request && p.Role.Roles&known.IsPrimitive == 0 && mostWait(g, q.Waiters...) {
			return q, true
		}
	}
	return nil, false
}

func poolNested() waitRow {
	return waitRow{id: "WT001", kind: "pool-nested", effect: "Requests stand still",
		title: "Requests that have a place of a pool wait for a second one",
		text: `Goroutines wait for a place of a pool, and those that are further along in the function that took one wait
for another place of it. With as many such requests as there are places nobody can go on, ever. Worth knowing from 10
that wait, hurting from 100; half of the requests in progress must wait, in two captures for more than a warning.`,
		before: `tx, _ := pool.Begin(ctx); …; pool.QueryRow(ctx, …) // a second connection`,
		after:  `tx, _ := pool.Begin(ctx); …; tx.QueryRow(ctx, …)`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			q, ok := placeQueue(g)
			if !ok || len(q.Holders) == 0 {
				return waitAnswer{}, false
			}
			if slices.ContainsFunc(q.Holders, func(h wait.Holder) bool { return !slices.Contains(q.Waiters, h.Pile) }) {
				return waitAnswer{}, false
			}
			h, n, what := q.Holders[0], q.Last(), whatPlace(q.First())
			a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(q.First()), title: fmt.Sprintf("%s wait for a "+
				"%s, and those that have one wait for a second at %s", waiting(g, n), what, lineText(r, h.Pile)),
				summary: fmt.Sprintf("%s wait for a %s. %s of them have passed %s, which took one, and ask for a "+
					"second one of the same pool at %s: when all places are with such requests, none of them can go on.",
					waiting(g, n), what, count(h.Last()), r.Place(h.Past), lineText(r, h.Pile)), why: "As soon as as " +
					"many requests as there are places hold one each and ask for another, all wait for each other: a " +
					"deadlock of the pool, which a larger pool only makes rarer.", remedies: []casefile.Remedy{useHeld(r, g,
					h), doChange("Ask before or after", "Take the second place before the first, or after giving it "+
					"back: never while one is held.", "two steps are no longer one transaction")}}
			a.places = append(a.places, waitPlace{at: h.Line, n: h.Last(), role: "waits for a second one"},
				waitPlace{at: h.Past, n: h.Last(), role: "holds one here"})
			a.places = append(a.places, placesOfAll(q.Waiters, 3, "waits behind it")...)
			return a, true
		}}
}

// useHeld is how a request does without a second place. A connection whose rows are open takes no other query.
func useHeld(r *Reading, g *wait.Graph, h wait.Holder) casefile.Remedy {
	if open := g.Open(h); open != "" {
		return closeFirst(r, h, open, "before asking again", "; or ask for both at once (a JOIN)")
	}
	return doChange("Use the one that the request has", fmt.Sprintf("At %s: pass on the transaction or connection "+
		"that %s holds, and ask that one instead of the pool.", lineText(r, h.Pile), r.Place(h.Past)), "none")
}

func poolHeld() waitRow {
	return waitRow{id: "WT002", kind: "pool-held", effect: "Requests are late",
		title: "Connections of a pool are held while something else is called",
		text: `Goroutines wait for a place of a pool, and those that are further along in the function that took one
wait for something else than the pool's own server: another service, a sleep, a child process. Worth knowing from 10
that wait, hurting from 100; half of the requests in progress or more must wait, and those that hold one be as many in
each capture. Or they wait for the answer to a call beyond which one request at a time is, by a trace: a lock of the
peer's; up to 74.`,
		before: `tx.Begin(); …; http.Post(chat, …); tx.Commit() // the connection waits for the chat`,
		after:  `tx.Begin(); …; tx.Commit(); http.Post(chat, …)`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			if a, ok := oneAtATime(r, g); ok {
				return a, true
			}
			q, ok := placeQueue(g)
			if !ok {
				return waitAnswer{}, false
			}
			away := wait.Queue{Holders: slices.DeleteFunc(slices.Clone(q.Holders), func(h wait.Holder) bool {
				return !h.For.Outside() || g.Within(h, q)
			})}
			out := away.HeldLast()
			if len(away.Holders) == 0 || 2*out < q.HeldLast() {
				return waitAnswer{}, false
			}
			h, n, what := away.Holders[0], q.Last(), whatPlace(q.First())
			a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(q.First()),
				title: fmt.Sprintf("Requests wait for a %s, which others hold during a call at %s", what, lineText(r, h.Pile)),
				summary: fmt.Sprintf("%s wait for a %s, the most at %s. %s have one: they have passed %s and wait for %s at "+
					"%s (%s) with it in their hands.", waiting(g, n), what, lineText(r, q.First()), count(out),
					r.Place(h.Past), outsideWords(h.Pile), lineText(r, h.Pile), callee(r, h.Pile)),
				why: "Whoever holds a connection during a call to another service keeps it for as long as that takes: the rate " +
					"of requests is bounded by places divided by that time, whatever the database could do.",
				remedies: []casefile.Remedy{emptyHanded(r, g, h, q), doChange("Take no transaction where one statement will "+
					"do", "A single statement is atomic by itself and gives its connection back at once.", "none")}}
			a.places = append(a.places, waitPlace{at: h.Past, n: h.Last(), role: "holds one here"},
				waitPlace{at: h.Line, n: h.Last(), role: "waits outside meanwhile"})
			a.places = append(a.places, placesOfAll(q.Waiters, 3, "waits behind it")...)
			return a, true
		}}
}

// closeFirst is how a request lets go of what keeps a connection: most drivers use it for nothing else meanwhile.
func closeFirst(r *Reading, h wait.Holder, open, before, or string) casefile.Remedy {
	return doChange("Read and close the "+open+" "+before, fmt.Sprintf("In %s: read the %s to the end, close, and only "+
		"then ask at %s%s. What is open keeps its connection.", r.Place(h.Past), open, lineText(r, h.Pile), or),
		"memory for what was read")
}

// emptyHanded is how a request calls out with nothing of the pool in its hands.
func emptyHanded(r *Reading, g *wait.Graph, h wait.Holder, q *wait.Queue) casefile.Remedy {
	if open := g.Open(h); open != "" {
		return closeFirst(r, h, open, "before the call", "")
	}
	title := "Give the connection back before the call"
	if g.Table.Has(h.Took, func(f *stacks.Func) bool { return known.Of(f.Name).Is(known.BeginsTransaction) }) {
		title = "Make the call outside the transaction"
	}
	return doChange(title, fmt.Sprintf("End what holds it before %s, or make that call "+
		"before %s, outside the transaction. What must not be lost is written in the transaction and sent after it "+
		"(an outbox).", lineText(r, h.Pile), lineText(r, q.First())), "two steps are no longer one transaction")
}

func outsideWords(p *wait.Pile) string {
	if p.For == wait.Answer && p.Role != nil && p.Role.What != "" {
		return p.Role.What
	}
	return p.For.String()
}

func poolLimit() waitRow {
	return waitRow{id: "WT003", kind: "pool-limit", effect: "Requests are late",
		title: "Requests wait for a place of a client or pool that has too few",
		text: `Goroutines wait inside a client for one of its connections or streams, before anything is sent. Worth
knowing from 10 that wait, hurting from 100; half of the requests in progress or more, three times as many as have a
place, in two captures. A semaphore or a library's workers count if all of them wait outside; fewer are enough where
those who have a place keep it, and requests are late. A server that waits for a place before it accepts, while most
connections are idle, is a warning or a notice. Where a trace shows that nobody answers those who have a place, the
time-outs are named.`,
		before: `http.Transport{MaxConnsPerHost: 5} // for 60 requests at a time`,
		after:  `http.Transport{MaxConnsPerHost: 100, MaxIdleConnsPerHost: 100}`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			if a, ok := closedDoor(r, g); ok {
				return a, true
			}
			if q, ok := g.Opened(); ok && mostWait(g, q.Waiters...) && q.First().InAll() && isLate(r, q) {
				return keptPlaces(r, g, q), true
			}
			if a, ok := heldOutside(r, g); ok {
				return a, true
			}
			if _, ok := oneAtATime(r, g); ok {
				return waitAnswer{}, false
			}
			q, ok := placeQueue(g)
			if !ok || q.HeldLast() == 0 || !q.First().InAll() && !g.Full(q) || q.First().Role.Setting == "" ||
				slices.ContainsFunc(q.Holders, func(h wait.Holder) bool {
					return slices.Contains(q.Waiters, h.Pile) || !g.Within(h, q)
				}) {
				return waitAnswer{}, false
			}
			switch {
			case g.Kept(q) && isLate(r, q):
				return keptPlaces(r, g, q), true
			case q.Last() >= 3*q.HeldLast():
				if after, n := unansweredHolders(r, q); n >= fewUnanswered {
					return deafPeer(r, g, q, after, n), true
				}
				return fewPlaces(r, g, q, whatPlace(q.First()), higherLimit(q.First(), q.Last()+q.HeldLast())), true
			}
			return waitAnswer{}, false
		}}
}

// isLate reports whether those who wait for a place are known to wait for longer than people do gladly.
func isLate(r *Reading, q *wait.Queue) bool {
	return inTrouble(r) || requestsLate(r) || waitsLong(r, q)
}

// longQueue is how long people do not wait for gladly.
const longQueue = time.Second

// waitsLong reports whether a trace shows that those who wait for a place do so for long, or in vain.
func waitsLong(r *Reading, q *wait.Queue) bool {
	for w := range r.WaitsAt(r.Summary(), q.First().Line) {
		if (w.Times.Total+w.Open)/time.Duration(q.First().Last()+w.Times.Count) >= longQueue {
			return true
		}
	}
	return false
}

// heldOutside is a semaphore whose places, or a pool whose workers, are all with somebody who waits for the world
// outside: more of them would wait there at once, and cost no processor.
func heldOutside(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	_, at, counted := fullPool(r) // of which chan-bottleneck knows how many are enough
	q, what := ownPlaces(r, g)
	if q == nil || !mostWait(g, q.Waiters...) || !q.First().InAll() || q.Last() < 3*q.HeldLast() ||
		counted && r.IsAt(q.First().Line, at) {
		return a, false
	}
	more := setValue(fmt.Sprintf("Make it more than %s %ss", count(q.HeldLast()), what), "Of "+lineText(r, q.First())+
		": as many as requests come at once, if others have room.", "more load behind it")
	return fewPlaces(r, g, q, what, withSets(casefile.SetsPlaces, more)), true
}

// ownPlaces is the queue before a semaphore or a library's workers, whose places are all with somebody who waits
// outside, and what a place is; nil without one. A trace must show that workers end the wait.
func ownPlaces(r *Reading, g *wait.Graph) (q *wait.Queue, what string) {
	inside := func(h wait.Holder) bool { return !h.For.Outside() }
	for _, q := range g.Queues() {
		if p := q.First(); p.For == wait.Place && p.Request && p.Role.Roles&known.IsPrimitive != 0 && g.Full(q) &&
			!slices.ContainsFunc(q.Holders, inside) {
			return q, "place"
		}
	}
	if q, worker, ok := g.Employed(); ok && endsAt(r, q.First().Line).By == worker {
		return q, "worker"
	}
	return nil, ""
}

// fewPlaces is more calls than a client has places for, or a pool workers, each for the time of an answer.
func fewPlaces(r *Reading, g *wait.Graph, q *wait.Queue, what string, more casefile.Remedy) waitAnswer {
	p, h, n, held := q.First(), q.Holders[0], q.Last(), count(q.HeldLast())
	places := append(placesOf(p, "waits for a place"), waitPlace{at: h.Line, n: h.Last(), role: "has one"})
	places = append(places, placesOfAll(q.Waiters[1:], 2, "waits for a place")...)
	return waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p), places: places,
		title: fmt.Sprintf("%s wait for a %s at %s; only %s have one", waiting(g, n), what, lineText(r, p), held),
		summary: fmt.Sprintf("%s wait for a %s at %s, before anything is done for them: the limit is this program's own. %s "+
			"have one, most of them at %s, waiting for %s.", waiting(g, n), what, lineText(r, p), held, lineText(r, h.Pile),
			outsideWords(h.Pile)),
		why: "Whatever has a limit of connections, streams, places or workers makes the others wait in this process. What " +
			"is called behind it has not been asked by them: its answers may be quick.",
		remedies: []casefile.Remedy{more,
			doChange("Call less often, or hold a place for less", fmt.Sprintf("At %s: join calls that ask for the same, "+
				"keep answers, do less of what takes so long at %s.", lineText(r, p), lineText(r, h.Pile)),
				"answers are as old as they are kept"),
		}}
}

const (
	fewUnanswered = 5    // waits, at least: by chance no five answers take equally long
	sameTime      = 0.98 // of the longest wait takes the shortest, of those that a time-out ends
)

// unansweredHolders is after how long the waits of those who have a place end, and how many did in a trace: n is 0
// where one of them may have been for an answer. A time-out ends them all after the same time, a second or more, and
// the connection is thrown away: as many are opened. One that was answered would be used again.
func unansweredHolders(r *Reading, q *wait.Queue) (after time.Duration, n int64) {
	s := r.Summary()
	for _, h := range q.Holders {
		for w := range r.WaitsAt(s, h.Line) {
			if w.Reason != "network" || w.Times.Count == 0 || !isRead(w.Stack[:slices.IndexFunc(w.Stack, r.IsUsers)+1]) {
				continue
			}
			if w.Times.Min < longQueue || float64(w.Times.Min) < sameTime*float64(w.Times.Max) {
				return 0, 0
			}
			after, n = max(after, w.Times.Max), n+w.Times.Count
		}
	}
	if dialled(s) < n {
		return 0, 0
	}
	return after, n
}

// dialled is how many connections were opened in a trace.
func dialled(s *traces.Summary) int64 { return ofKind(s, "dial") }

// ofKind is how many regions of a kind a trace has.
func ofKind(s *traces.Summary, name string) (n int64) {
	for _, k := range s.Kinds {
		if k.Name == name {
			n += k.Times.Count
		}
	}
	return n
}

// deafPeer is a pool whose places are with those to whom nobody answers: a larger one has more who wait for nothing.
func deafPeer(r *Reading, g *wait.Graph, q *wait.Queue, after time.Duration, n int64) waitAnswer {
	a := fewPlaces(r, g, q, whatPlace(q.First()), casefile.Remedy{})
	at, each := lineText(r, q.Holders[0].Pile), seconds(after)
	a.title = fmt.Sprintf("Nobody answers the calls at %s: each of %s ended after %s, and %s behind them for a %s", at,
		count(n), each, waiting(g, q.Last())+" wait", whatPlace(q.First()))
	a.summary = fmt.Sprintf("%s have a %s, and none is answered: the %s waits that the trace saw end took up to %s, all "+
		"the same, and a connection was opened anew after each. A time-out ended them. In a larger pool more would wait for "+
		"nothing.", count(q.HeldLast()), whatPlace(q.First()), count(n), each)
	a.why = "A client that is not answered keeps its connection until its time-out, opens another one and mostly tries " +
		"again. Each request pays for all of these tries, and the others wait until it gives its place back."
	a.remedies = []casefile.Remedy{
		setValue("A shorter time-out, and fewer retries", fmt.Sprintf("Of the client that is called at %s: time-outs for "+
			"dialling and reading (now %s) of some times what an answer takes, and one try or two where it tries again by "+
			"itself (MaxRetries). Or a context with a deadline for all tries together.", at, each),
			"answers that come late are lost"),
		deadlineRemedies(at)[1],
		doChange("Go on without it", fmt.Sprintf("At %s: if the answer is not needed, as of a cache, do the work without, "+
			"and write to it from the background.", at), "more work while it is away"),
	}
	return a
}

// higherLimit is a higher limit.
func higherLimit(p *wait.Pile, enough int64) casefile.Remedy {
	return withSets(p.Role.Setting, setValue("Raise "+p.Role.Setting, fmt.Sprintf("%s, as high as calls are made at "+
		"the same time (%s now), if the other side can serve them.", governedBy(p), count(enough)),
		"more load on the other side"))
}

// keptPlaces is places that stay with who has one: a stream that is open for hours, a transaction that waits.
func keptPlaces(r *Reading, g *wait.Graph, q *wait.Queue) waitAnswer {
	p, h, n, held, what := q.First(), q.Holders[0], q.Last(), count(q.HeldLast()), whatPlace(q.First())
	a := waitAnswer{waiters: q.Waiters, n: n, limit: capUnsure,
		places: []waitPlace{{at: h.Past, n: h.Last(), role: "keeps one"},
			{at: p.Line, n: p.Last(), role: "waits for a place"}},
		title: fmt.Sprintf("%s wait for a %s: %s stay open at %s", waiting(g, n), what, held, r.Place(h.Past)),
		summary: fmt.Sprintf("%s wait for a %s, the most at %s, before anything is sent. %s have one, in both captures, and "+
			"keep it at %s while they wait for what comes next.", waiting(g, n), what, lineText(r, p), held, r.Place(h.Past)),
		why: "Calls that last and calls that are quick share the places of one client. Those that last take one after " +
			"the other and give none back; then the quick ones wait for one of them to end, however quick the other side is.",
		remedies: []casefile.Remedy{
			doChange("A connection apart for what stays", fmt.Sprintf("At %s: a client of its own for these long calls, or "+
				"several to which they are spread, so that the others find a place.", r.Place(h.Past)), "more connections"),
			doChange("End what is not needed", fmt.Sprintf("At %s: give a place back after some time, or when nobody looks any "+
				"more, and ask again.", r.Place(h.Past)), "calls are made again"),
		}}
	if p.Role != nil {
		a.remedies = slices.Insert(a.remedies, 1, higherLimit(p, n+q.HeldLast()))
	}
	a.places = append(a.places, placesOfAll(q.Waiters[1:], 2, "waits for a place")...)
	return a
}

// closedDoor is a server that waits for a place before it accepts a connection, while most that have one are idle.
func closedDoor(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	d, ok := g.Door()
	last := len(g.Moments) - 1
	if !ok || min(d.Idle[last-1], d.Idle[last]) < waitersLeast || d.Idle[last-1] < g.Requests[last-1] ||
		d.Idle[last] < g.Requests[last] {
		return waitAnswer{}, false
	}
	idle, at := count(d.Idle[last]), lineText(r, d.Pile)
	score, limit, queue := unaccepted(r)
	return waitAnswer{waiters: []*wait.Pile{d.Pile}, limit: limit, score: score,
		places: placesOf(d.Pile, "waits for a place before it accepts"),
		title:  fmt.Sprintf("No new connection is accepted at %s: %s idle ones have the places", at, idle),
		summary: fmt.Sprintf("In both captures the server at %s does not wait for a connection but, in %s, for one to "+
			"end: the limit is reached. %s connections wait for their next request, and %s in progress%s.", at,
			callee(r, d.Pile), idle, things(g.InProgress(), "request"), queue),
		impact: "who connects waits in the kernel until another one leaves",
		why: "A connection that is kept alive keeps its place until it is closed, also while nothing is asked. Without a " +
			"limit for idle ones clients that come rarely keep out all others, while the service has nothing to do.",
		remedies: []casefile.Remedy{
			setValue("An IdleTimeout for the server", fmt.Sprintf("For the server at %s: http.Server.IdleTimeout, some seconds "+
				"(without it ReadTimeout counts, and without both a connection is kept for ever).", at),
				"clients connect more often"),
			setValue("A higher limit", fmt.Sprintf("At %s: as many places as clients keep connections, with open files "+
				"(ulimit -n) for them.", at), "memory for each connection"),
		}}, true
}

// unaccepted judges a closed door by the clients that were counted before it: it is nobody's trouble as long as none
// is. A first count is always 0 and says nothing: a client counts once it was met there twice.
func unaccepted(r *Reading) (score, limit int, words string) {
	counts, most, now := 0, 0.0, 0.0
	for i := range r.Vitals {
		if n, ok := r.Vitals[i].Get(vitals.TCPQueued); ok {
			counts, most, now = counts+1, max(most, n), n
		}
	}
	switch {
	case now > 0:
		return max(scoreOfAll, lockWaiterScale().Score(now)), noCap, fmt.Sprintf("; %s in the kernel to be accepted",
			things(now, "client")+" wait")
	case counts > 1 && most == 0:
		return scoreOfAll, capNotice, "; no client was met that waits to be accepted"
	}
	return scoreOfAll, capUnsure, ""
}
