package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
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
			things(h.Last(), "goroutine")+" are", r.Place(h.Past), outsideWords(h.Pile), lineText(r, h.Pile)),
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
		remediesAt(out, heldRemedies()[2])[0])
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

// A goroutine profile shows a lock that is held over a call only if ten wait at that moment. A trace shows the waits of
// seconds: those for the lock, with who gave it back, and those for the network. If the function that gives it back
// waits for the network between the line that takes it and the line that gives it back, it does so with the lock.

// heldLeast and heldMost are the share of the time for which a lock must be held outside. A call that is not made with
// the lock may be made by many at once; what one at a time does cannot take longer than the time that passes.
const (
	heldLeast = 0.1
	heldMost  = 1.05
)

// A tracedCall is what a holder of a lock waits for outside the process, by a trace.
type tracedCall struct {
	hold   *tracedHold
	span   time.Duration
	unlock traces.Frame // in the holder's function
	lock   traces.Frame // where others wait in the same function; no function: nowhere
	at     traces.Frame // the function's line with most of the waiting outside
	inner  traces.Frame // the user's line below it
	what   string       // it waits for
	writes bool         // to a connection
	waited time.Duration
}

// callUnderLock finds what the lock for which others wait most is held for. A lock inside a library is not the user's
// to hold for less.
func callUnderLock(r *Reading) (c tracedCall, ok bool) {
	s := r.Summary()
	holds := tracedHolds(r, s)
	if len(holds) == 0 || tracedLockOwner(r, holds[0].Stack) != nil {
		return c, false
	}
	c.hold, c.span = holds[0], s.Span
	if c.unlock, _ = standsAt(c.hold.Stack); !r.IsUsers(c.unlock) {
		return c, false
	}
	c.lock = lastLock(s, c.unlock)
	c.addWaits(r, s)
	_, computes := workOf(r, c.unlock.Function)
	if guardsConnection(r, s, c) || computes && c.lock.Function == "" { // or it may wait before the lock is taken
		return c, false
	}
	held := float64(c.waited) / float64(c.span)
	return c, held >= heldLeast && held <= heldMost && 2*c.waited >= c.hold.Longest
}

// lastLock is the last line above another one of the same function at which goroutines wait for a lock.
func lastLock(s *traces.Summary, unlock traces.Frame) (last traces.Frame) {
	for _, w := range s.Blocking {
		at, _ := standsAt(w.Stack)
		if awaitsMutex(w.Stack) && at.Function == unlock.Function && at.Line < unlock.Line && at.Line > last.Line {
			last = at
		}
	}
	return last
}

// addWaits adds up the waits for the world outside between the two lines.
func (c *tracedCall) addWaits(r *Reading, s *traces.Summary) {
	most := time.Duration(0)
	for _, w := range s.Blocking {
		i := slices.IndexFunc(w.Stack, func(f traces.Frame) bool {
			return f.Function == c.unlock.Function && f.Line > c.lock.Line && f.Line <= c.unlock.Line
		})
		what := waitsOutside(w)
		if i < 0 || what == "" {
			continue
		}
		took := w.Times.Total + w.Open
		c.waited += took
		if took > most {
			most, c.at, c.what = took, w.Stack[i], what
			c.inner, _ = r.TracedLine(w.Stack)
			c.writes = does(w.Stack, known.WritesFD)
		}
	}
}

// waitsOutside is what a wait in a trace is for outside the process; "" if it is for another goroutine.
func waitsOutside(w traces.Wait) string {
	for _, f := range w.Stack {
		if what := callOutOf(f.Function); what != "" && !hasRole(w.Stack, known.TakesPlace) {
			return what
		}
	}
	if !does(w.Stack, known.AwaitsToBeAsked) && (w.Reason == "network" || w.Reason == "sleep") {
		return "the " + w.Reason
	}
	return ""
}

// guardsConnection reports whether the lock may guard the connection that is read: conn-shared has another remedy.
func guardsConnection(r *Reading, s *traces.Summary, c tracedCall) bool {
	_, shared := longestHeldLock(r, true)
	return shared || slices.ContainsFunc(s.Blocking, func(w traces.Wait) bool {
		i := slices.Index(w.Stack, c.at)
		if i < 0 {
			return false
		}
		inner := w.Stack[:i]
		return hasRole(inner, known.OneConnection) && !hasRole(inner, known.FromPool) ||
			does(inner, known.ReadsFD) && waitsOutside(w) == "the network" && !does(inner, known.SpeaksHTTP, known.OfOS)
	})
}

// finding says what the holder waits for, and who waits for it.
func (c *tracedCall) finding(r *Reading) casefile.Finding {
	queue, waits := c.hold.waited.Seconds()/c.span.Seconds(), c.hold.by[0].At
	doing := "waiting for " + c.what
	if c.what == "the sleep" {
		doing = "sleeping"
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("The lock at %s is held while %s", tracedPlace(waits), doing),
		Score: lockQueueScale().Score(queue), Confidence: 0.9,
		Summary: fmt.Sprintf("On average %s goroutines wait for the lock at %s (trace), up to %s at a time, most while %s "+
			"has it, which is at line %d, %s, for %s of the time.", count(max(queue, 0.1)), tracedPlace(waits),
			seconds(c.hold.Longest), short(c.at.Function), c.at.Line, doing, percent(min(float64(c.waited)/float64(c.span), 1))),
		Explanation: lockHeldText,
		Where: []casefile.Frame{tracedFrame(c.at, min(float64(c.waited)/float64(c.span), 1),
			"holds the lock and waits outside (share of the time)"), tracedFrame(waits, 1, "waits for the lock")},
		Evidence: traceBasis(r),
		Remedies: c.remedies(r),
	}
	if c.inner.Function != c.at.Function {
		f.Where = append(f.Where, tracedFrame(c.inner, 1, "waits outside"))
	}
	if c.lock.Function == "" {
		f.Confidence = 0.75 // nobody waits in the function: that the lock is taken above the line is not seen
	}
	share := min(float64(c.hold.waited)/float64(cmp.Or(tracedRequests(r.Summary()).took, c.hold.waited)), 1)
	f.Impact = heldImpact(share, fmt.Sprintf("%s of waiting for the lock in %s", seconds(c.hold.waited), seconds(c.span)))
	return f
}

// remedies depend on the direction: what is written can be made ready under the lock and written after it.
func (c *tracedCall) remedies(r *Reading) []casefile.Remedy {
	at := tracedPlace(c.at)
	if !c.writes || strings.Contains(c.what, "request") {
		return remediesAt(at, heldRemedies()...)
	}
	return []casefile.Remedy{
		doChange("Write after the lock is given back", fmt.Sprintf("At %s: copy under the lock what is to be written, or "+
			"encode it into a bytes.Buffer, unlock, and write then: who reads slowly keeps nobody else waiting.", at),
			"memory for the copy, which is that of a moment ago"),
		doChange("Copy in parts", fmt.Sprintf("Where the copy would be large: at %s take the lock for some hundred "+
			"entries at a time, and write them without it.", at), "the parts are of different moments"),
		doChange("Bound the write", "A deadline for it (http.ResponseController.SetWriteDeadline, "+
			"net.Conn.SetWriteDeadline), so that a peer that does not read cannot hold the lock.",
			"slow clients are cut off"),
	}
}
