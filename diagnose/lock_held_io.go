package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// maxHolders is how many goroutines may be inside the critical section: a Mutex has one holder, methods of several
// instances, or readers of an RWMutex, a few. More than a third of the waiters do not have the lock.
const (
	maxHolders     = 8
	holdersOfQueue = 3
	heldAgreeing   = 2 // captures
)

func lockHeldIO() Detector {
	return Detector{
		ID: "LK004", Kind: "lock-held-io",
		Title: "A lock is held while waiting for the network, a disk or a sleep",
		Text: `Goroutines wait for a lock in a function, while another one, below the line where they wait, waits for
the network, a file, a sleep or another service, or until somebody reads what it sends: it most likely holds the lock.
Worth knowing from 10 waiters, hurting from 100. Capped at 74 unless two captures agree. More than 8 who wait outside,
or more than a third of the waiters, do not hold it. Who has the lock of a plain function is found by elimination, among
goroutines of the package that do the same kind of work, up to 74, or 49 by one capture. If what it waits for is the
answer on a connection that the lock guards (a type of a library that is one connection, or a socket that the lock's own
package reads), more connections are the cure, and not to call without the lock.

A lock inside a library counts, too, if most requests in progress wait for it: the user's line that it calls back, or
that calls it, is the place. An execution trace shows it with fewer waiters: who gives the lock back also waits outside,
after the line that takes it, for a tenth of the time or more.`,
		Needs: needGoroutines(traces.KindSummary),
		Before: `c.mu.Lock(); defer c.mu.Unlock()
if v, ok := c.m[k]; ok { return v }; v := fetch(k); c.m[k] = v; return v`,
		After: `c.mu.Lock(); v, ok := c.m[k]; c.mu.Unlock()
if !ok { v, _, _ = c.group.Do(k, func() (any, error) { return fetch(k) }); … } // golang.org/x/sync/singleflight`,
		OtherNames: []string{"conn-shared"},
		Remedies:   append(heldRemedies(), sharedRemedies()...), Waits: knowsWho, IsQueue: true, NeedsPlace: true,
		Explains: related(amongPlaces, "chan-bottleneck"), // whose places those have who wait
		Follows:  "the lock is held for as long as these calls take", Run: runLockHeldIO,
	}
}

func runLockHeldIO(_ context.Context, r *Reading) Answer {
	h, ok := longestHeldLock(r)
	if !ok || h.near != inFunction {
		if c, seen := callUnderLock(r); seen {
			if f := c.finding(r); f.Score >= worthKnowing {
				return found(f)
			}
		}
		if a, inside := heldInside(r, r.waits()); inside {
			return found(a.finding(r))
		}
	}
	if !ok {
		return Answer{}
	}
	f, by := h.finding(r), h.holders[0]
	f.Remedies = remediesAt(r.Place(by.at), heldRemedies()...)
	switch {
	case by.wait == stacks.WaitSleep:
		f.Remedies = asleepRemedies(r.Place(by.at))
	case r.Table.Has(by.stack, func(f *stacks.Func) bool { return f.Name == known.FileSync }):
		together := syncTogether()
		f.Remedies = slices.Concat(remediesAt(r.Place(by.at), together[len(together)-1].named(holdLess)), f.Remedies)
	case by.sends():
		h.sending(r, &f)
	case h.shared:
		h.takesTurns(r, &f)
	}
	return found(f)
}

// sending says of a lock that is held over a send who reads the channel, as far as a trace tells.
func (h *heldLock) sending(r *Reading, f *casefile.Finding) {
	at := h.holders[0].at
	if t, ok := readerInTrace(r, &view.Pile{At: at, Wait: stacks.WaitSend}); ok {
		keeps, waits := t.waitsAt()
		f.Where = append(append(f.Where, tracedFrame(t.at, 0, "reads the channel (trace)")), keeps...)
		f.Summary += fmt.Sprintf(" %s reads it (trace)%s.", tracedPlace(t.at), waits)
	}
	f.Remedies = append(f.Remedies[:1:1], doChange("Drop who does not keep up", fmt.Sprintf("At %s: a channel with room "+
		"for each reader, and a select with a default that counts what finds none, or closes the channel of that reader.",
		r.Place(at)), "a slow reader misses some"))
	f.Remedies[0].Title = "Take the send out of the lock"
	f.Remedies[0].Text = fmt.Sprintf("At %s: clone the slice of channels under the lock, and send after it.", r.Place(at))
}

// A heldLock is a queue for a lock that is held while its holder waits outside.
type heldLock struct {
	*lockQueue             // as the set shows it that shows it best
	set        *stacks.Set // that one
	seen       *stacks.Set // the last that agrees
	captures   int         // that agree
	shared     bool        // the lock guards a connection
	felt       int         // the score of how long the slowest requests of a trace wait for it
}

// longestHeldLock finds the longest of these queues.
func longestHeldLock(r *Reading) (best heldLock, ok bool) {
	var held groups[stacks.FuncID, heldLock]
	sets := r.Troubled(casefile.Goroutine)
	if len(sets) == 0 {
		sets = r.All(casefile.Goroutine)
	}
	for _, set := range sets {
		for _, q := range lockQueues(r, set) {
			if waitsForOnce(r.Table, q.piles[0].Stack) || !q.heldOutside() {
				continue
			}
			h, _ := held.of(q.fn)
			h.add(r, set, q)
			for w := range r.WaitsAt(r.Summary(), q.at) {
				h.felt = max(h.felt, batchScale().Score(feltAt(r.Summary(), w.Stack).Seconds()))
			}
		}
	}
	for _, h := range held.all {
		if h.lockQueue != nil && (!ok || h.clearer(best.lockQueue)) {
			best, ok = *h, true
		}
	}
	return best, ok && best.score() >= worthKnowing
}

// add counts a capture that shows the queue. A dump and a profile of one moment are one; a dump without a time is of
// any. A profile does not tell a waiter that is about to run: on its own it shows no holder by elimination.
func (h *heldLock) add(r *Reading, set *stacks.Set, q *lockQueue) {
	if later := h.seen == nil || lapse(h.seen, set) >= time.Second; later || h.seen.Taken.IsZero() {
		if h.seen = set; later {
			h.captures++
		}
	}
	h.shared = h.shared || sharesConnection(r, q)
	if (q.near != inPackage || set.Goroutines != nil || restsAt(r, q)) && (h.lockQueue == nil || q.clearer(h.lockQueue)) {
		h.lockQueue, h.set = q, set
	}
}

// clearer reports whether a queue shows its holder more clearly than another one, or more that wait for it.
func (q *lockQueue) clearer(o *lockQueue) bool {
	return q.near > o.near || q.near == o.near && q.n > o.n
}

func (h *heldLock) score() int {
	limit, _ := h.sure()
	score := lockWaiterScale().Score(float64(h.n))
	if score >= worthKnowing { // a trace says more of fewer
		score = max(score, h.felt)
	}
	return min(score, limit)
}

// sure is how sure it is that the holder holds the lock: the limit of the score, and the confidence.
func (h *heldLock) sure() (limit int, confidence float64) {
	agree := h.captures >= heldAgreeing
	switch own := h.near == inFunction; {
	case own && agree:
		return noCap, 0.95
	case own && 2*h.waiting >= h.n:
		return noCap, 0.8
	case own:
		return capUnsure, 0.8
	case agree:
		return capUnsure, 0.7
	}
	return capNotice, 0.5
}

// restsAt reports whether two captures show a queue, none of its waiters fewer in the second, and the same that may
// hold the lock, while the process hardly uses the CPU: a queue for a lock that changes hands moves, which takes CPU.
// So the holder waits for something else.
func restsAt(r *Reading, q *lockQueue) bool {
	moments := queueMoments(r, []*lockQueue{q})
	return rests(r) && len(moments) > 1 && !slices.ContainsFunc(moments, func(set *stacks.Set) bool {
		now := byFunction(lockQueues(r, set))[q.fn]
		return now == nil || now.n < q.n || !sameHolders(q, now)
	})
}

// sameHolders reports whether those who may hold a lock are at the same lines.
func sameHolders(a, b *lockQueue) bool {
	return !slices.ContainsFunc(a.holders, func(h holder) bool {
		return !slices.ContainsFunc(b.holders, func(o holder) bool { return o.at == h.at && o.wait == h.wait && o.n == h.n })
	})
}

// heldOutside keeps the likeliest holders that wait outside the process.
func (q *lockQueue) heldOutside() bool {
	elimination := q.woken == 0 && !slices.ContainsFunc(q.holders, func(h holder) bool {
		return h.near != inPackage || !h.outside
	})
	for _, want := range []nearness{inFunction, inPackage} {
		if want == inPackage && !elimination {
			continue // another goroutine could hold it, or the lock changes hands
		}
		var kept []holder
		n := int64(0)
		for _, h := range q.holders {
			if (h.outside || h.sends()) && h.near == want {
				kept, n = append(kept, h), n+h.n
			}
		}
		if n > 0 && n <= maxHolders && n*holdersOfQueue <= q.n {
			q.holders, q.holding, q.near = kept, n, want
			return true
		}
	}
	return false
}

const lockHeldText = "A lock lets one goroutine through at a time. If it is held during a call that takes " +
	"milliseconds, it lets through a few hundred a second, whatever the machine can do; and when the other side hangs, " +
	"so does every goroutine that needs the lock."

// finding says who holds the lock and what that costs; the remedies are to be added.
func (h *heldLock) finding(r *Reading) casefile.Finding {
	total, by := max(float64(h.set.Total(h.set.Count())), 1), h.holders[0]
	does := waitingFor(r, by.stack, by.wait)
	if fileIO(r.Table, by.stack) {
		does = "reading or writing a file"
	}
	who, role := h.who()
	_, sure := h.sure()
	f := casefile.Finding{
		Title: fmt.Sprintf("The lock at %s is held while %s", r.Place(h.at), does),
		Score: h.score(), Confidence: sure,
		Summary: fmt.Sprintf("%s goroutines wait for the lock at %s while %s is at %s, %s; seen in %d of %d captures.",
			count(h.n), r.Place(h.at), who, r.Place(by.at), does, h.captures, max(h.captures, len(r.Moments()))),
		Explanation: lockHeldText,
		Where: []casefile.Frame{r.Frame(by.at, float64(by.n)/total, role),
			r.Frame(h.at, float64(h.n)/total, "waits for the lock")},
		Evidence: Basis(h.set),
		Impact:   heldImpact(latencyShare(r, h.set, h.n, h.holding), count(h.n)+" goroutines wait behind one call"),
	}
	for _, other := range h.holders[1:min(len(h.holders), 3)] {
		f.Where = append(f.Where, r.Frame(other.at, float64(other.n)/total, "may hold it as well, "+other.wait.String()))
	}
	return f
}

// heldImpact is which share of the requests' time a call under a lock costs, and what it saves to make it without.
func heldImpact(share float64, text string) casefile.Impact {
	return onLatency(share, text, halfAtLeast(share, percent(share)+" of the time of requests, or of these goroutines, is "+
		"the wait for it: without the call under the lock they make it concurrently; half if the other side is slower then"))
}

// who says which goroutine holds the lock, by how that is known, in a sentence and at its place.
func (q *lockQueue) who() (who, role string) {
	if q.near == inFunction {
		return "one that is past that line", "holds the lock and waits outside"
	}
	return fmt.Sprintf("one of the only %s in package %s that do such work, by elimination,",
		things(q.holding, "other"), q.pkg), "may hold the lock, and waits outside"
}

func heldRemedies() []Remedy {
	return []Remedy{
		byChange("", "Take the call out of the lock", "At {line}: copy under the lock what the call needs, unlock, "+
			"call, lock again to store the result.", "two goroutines may make the same call at once").named(holdLess),
		byPackage("", "Let one goroutine fetch for all that want the same",
			"golang.org/x/sync/singleflight joins concurrent calls for one key, and GetOrLoad of "+
				"github.com/gocasebook/casebook/remedy/cache keeps the result as well; other keys are not blocked.",
			"all waiters share one failure"),
		byChange("", "Bound the call", "A context with a timeout around it, so that a peer that hangs cannot hold "+
			"the lock.", "slow answers are lost"),
	}
}

// asleepRemedies are for a lock that is held during a sleep.
func asleepRemedies(at string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Take the sleep out of the lock", fmt.Sprintf("Before %s: unlock, sleep, lock again and look whether what "+
			"was true still is. A pause between attempts, or one that paces, needs no lock.", at), "others come in between"),
		doChange("Wait to be told", fmt.Sprintf("At %s: where it is a condition that is waited for, a sync.Cond gives "+
			"the lock back in Wait; or receive from a channel, without the lock.", at), "more code"),
	}
}

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
		e := r.experts()
		for _, h := range q.Holders {
			if h.For.Outside() {
				return insideAnswer(r, g, q, h), true
			}
			said := e.on(e.frames(h.Inner()), shows(known.Waiting))
			if h.For == wait.Inside && h.InAll() && len(said) > 0 { // for the library's own work, of which a row knows
				a := insideAnswer(r, g, q, h)
				a.title = fmt.Sprintf("%s wait for a lock at %s, whose holder waits, too: %s", waiting(g, a.n),
					lineText(r, q.First()), said[0].advice.Says)
				a.why, a.remedies = said[0].reason(), said[0].cures(lineText(r, h.Pile))
				return a, true
			}
		}
	}
	return waitAnswer{}, false
}

func insideAnswer(r *Reading, g *wait.Graph, q *wait.Queue, h wait.Holder) waitAnswer {
	p, n := q.First(), q.Last()
	inside := r.Place(p.At)
	a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p), title: fmt.Sprintf("%s wait for a lock at %s, which "+
		"is held while waiting for %s at %s", waiting(g, n), inside, outsideWords(h.Pile), lineText(r, h.Pile)),
		summary: fmt.Sprintf("%s wait for a lock at %s. %s further along, at %s, and wait for %s at %s with the lock "+
			"held: requests go through one after another, each as long as that takes.", waiting(g, n), inside,
			things(h.Last(), "goroutine")+" are", r.Place(h.Past), outsideWords(h.Pile), lineText(r, h.Pile)),
		why: "The lock is the library's own, and cannot be taken for less: what is done with it decides how " +
			"many pass.", remedies: lockedRemedies(r, g, p, h)}
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
	return append(libraryLock(g.Table.Func(p.At), at), doChange("Let it ask less often, and not in requests",
		fmt.Sprintf("What %s asks for at %s is asked for with the lock held: let it last longer, and renew it in a "+
			"goroutine before it expires, so that requests find it there.", r.Place(p.At), out), "what is there may be a "+
			"little older"), remediesAt(out, heldRemedies()[2])[0])
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
