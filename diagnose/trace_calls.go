package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// An execution trace shows how often and how long requests wait for answers of other services, by stack. A call is a
// write and a read below one line of the user's; where the user's own code speaks the protocol, it is the line that
// calls that code. HTTP's and gRPC's clients write in a goroutine of their own, and their callers wait in a select.

// A tracedAsk is the calls of another service at one line, by requests.
type tracedAsk struct {
	at    traces.Frame // the user's line that asks
	stack traces.Stack // of the site with the longest waiting
	calls int64
	times traces.Times  // of the waits; Count may be higher than calls: an answer can come in pieces
	own   bool          // in the request's own goroutine; otherwise in one that it started
	self  time.Duration // of the waits, those in the request's own goroutine
	begun []string      // the functions of the goroutines that requests started for it
	by    int64         // requests that make them, at the least; 0 where that is not known
	asked known.Function
	what  string       // "an HTTP request"; anAnswer where the protocol is not known
	cut   traces.Waker // of the waits, those that a deadline ended: Count and Waited
	local bool         // the other side is in the process: no round trip
}

func (a *tracedAsk) is(f traces.Frame) bool { return f == a.at }

// mean is how long a call waits.
func (a *tracedAsk) mean() time.Duration { return a.times.Total / time.Duration(max(a.calls, 1)) }

// tracedAsks are the calls of a trace by line, the longest waiting first.
func tracedAsks(r *Reading, s *traces.Summary) []*tracedAsk {
	writes := tracedWrites(s)
	var lines groups[traces.Frame, tracedAsk]
	for _, w := range s.Blocking {
		a, ok := askAt(r, s, w, writes)
		if !ok {
			continue
		}
		at, first := lines.of(a.at)
		if first {
			*at = a
			continue
		}
		at.times.Count, at.times.Total = at.times.Count+a.times.Count, at.times.Total+a.times.Total
		at.times.Max = max(at.times.Max, a.times.Max)
		at.calls, at.own, at.by = max(at.calls, a.calls), at.own && a.own, max(at.by, a.by)
		at.local, at.self = at.local && a.local, at.self+a.self
		at.begun = slices.Compact(slices.Sorted(slices.Values(append(at.begun, a.begun...))))
		at.cut.Count, at.cut.Waited = at.cut.Count+a.cut.Count, at.cut.Waited+a.cut.Waited
	}
	sortFalling(lines.all, func(a *tracedAsk) time.Duration { return a.times.Total })
	return lines.all
}

// tracedWrites are what a trace says of writes to connections.
func tracedWrites(s *traces.Summary) []traces.Site {
	return slices.DeleteFunc(slices.Clone(s.Syscalls), func(c traces.Site) bool { return !isWrite(c.Stack) })
}

// askAt reads one site of a trace; ok is false if no request waits there for an answer.
func askAt(r *Reading, s *traces.Summary, w traces.Wait, writes []traces.Site) (a tracedAsk, ok bool) {
	i := slices.IndexFunc(w.Stack, r.IsUsers)
	own, begun := servesTraced(w.Stack), []string(nil)
	for _, f := range w.Stack[max(len(w.Stack)-2, 0):] { // what WaitGroup.Go starts is about the function below it
		if !own && requestsStart(s, f.Function) {
			begun = append(begun, f.Function)
		}
	}
	if i < 0 || !own && begun == nil || pushes(w.Stack[:i]) || does(w.Stack[:1], known.Sends) {
		return a, false
	}
	a = tracedAsk{at: w.Stack[i], stack: w.Stack, times: w.Times, own: own, begun: begun, by: w.Requests,
		asked: tracedCallee(w.Stack[:i])}
	a.what = a.asked.What()
	if own {
		a.self = w.Times.Total
	}
	for _, by := range w.Wakers {
		if known.Of(by.Goroutine).Does(known.EndsContext) {
			a.cut.Count, a.cut.Waited = a.cut.Count+by.Count, a.cut.Waited+by.Waited
		}
	}
	parked := w.Reason == "select" || w.Reason == "channel"
	switch {
	case w.Reason == "select" && does(w.Stack[:i], known.AwaitsHTTP):
		a.calls = w.Times.Count / 2 // it waits till the question is written, and for the answer
	case parked && a.what != "":
		a.calls, a.local = w.Times.Count, answeredInside(s, w) || worksItself(r, s, w)
	case parked && !answeredInside(s, w):
		a.what, a.calls = anAnswer, awaitsReader(r, w, w.Stack[:i], s, writes)
	case w.Reason == "network" && isRead(w.Stack[:i]):
		a.at = asker(r, w.Stack, i, writes)
		a.calls, a.what = min(written(writes, a.is), w.Times.Count), cmp.Or(a.what, anAnswer)
		asks := slices.ContainsFunc(writes, func(w traces.Site) bool {
			return slices.ContainsFunc(w.Stack, func(f traces.Frame) bool {
				return f.Function == a.at.Function && f.Line < a.at.Line // before it reads
			})
		})
		if a.calls == 0 && !asks { // it is the other side that speaks first
			a.what, a.calls = greeting, min(dialledIn(s, a.at.Function), w.Times.Count)
		}
	}
	return a, a.calls > 0
}

// worksItself reports whether a wait is ended by a goroutine that requests start and that never reads from the network:
// a library that does the work in this process, as an embedded database.
func worksItself(r *Reading, s *traces.Summary, w traces.Wait) bool {
	return len(w.Wakers) > 0 && requestsStart(s, w.Wakers[0].Goroutine) &&
		!readsNetwork(r, s, func(f traces.Frame) bool { return f.Function == w.Wakers[0].Goroutine })
}

// greeting is what whoever dials waits for before it asks anything.
const greeting = "the greeting on a new connection"

// dialledIn is how many connections a function opens.
func dialledIn(s *traces.Summary, function string) (n int64) {
	for _, site := range s.Syscalls {
		if does(site.Stack, known.Dials) && site.Stack.Has(function) {
			n = max(n, site.Times.Count) // each system call on the way is made once for each
		}
	}
	return n
}

// asker is the line that asks, of a goroutine that reads below the user's line at i: a library's client writes there,
// too. Where lines of the user's do, the function that has both speaks the protocol, and whoever calls it asks.
func asker(r *Reading, stack traces.Stack, i int, writes []traces.Site) traces.Frame {
	if written(writes, (&tracedAsk{at: stack[i]}).is) > 0 {
		return stack[i]
	}
	for _, f := range stack[i:] {
		if r.IsUsers(f) && slices.ContainsFunc(writes, func(w traces.Site) bool { return w.Stack.Has(f.Function) }) {
			if by, ok := tracedCaller(r, stack, f); ok {
				return by
			}
			return f
		}
	}
	return stack[i]
}

// written is how many times such lines write to connections.
func written(writes []traces.Site, at func(traces.Frame) bool) (n int64) {
	for _, w := range writes {
		if slices.ContainsFunc(w.Stack, at) {
			n += w.Times.Count
		}
	}
	return n
}

// requestsStart reports whether requests start the goroutines of a function.
func requestsStart(s *traces.Summary, function string) bool {
	return slices.ContainsFunc(s.Created, func(c traces.GoroutinesFrom) bool {
		return c.Starts == function && servesTraced(c.Stack)
	})
}

// isRead reports whether the frames below the user's line read from a connection that is no request's own.
func isRead(inner traces.Stack) bool {
	return does(inner, known.ReceivesOnSocket) && !does(inner, known.OfRequestConn)
}

// pushes reports whether the frames below the user's line wait for what the other side sends when it likes, or pass a
// stream on: nobody expects these to end soon.
func pushes(inner traces.Stack) bool {
	return does(inner, known.PassesStream) || does(inner, known.ReceivesGRPC) && !does(inner, known.CallsGRPC) ||
		slices.ContainsFunc(inner, func(f traces.Frame) bool {
			return known.AwaitsNews(f.Function) || strings.Contains(f.Function, "websocket")
		})
}

// tracedCallee is whom the frames below the user's line call, by what is known of them; zero if that is nobody. A wait
// for a connection of a pool, or for one that is being opened, is none for an answer.
func tracedCallee(inner traces.Stack) (nobody known.Function) {
	for _, f := range inner {
		switch of := known.Of(f.Function); {
		case of.Is(known.AsksOne):
			return of
		case of.Is(known.TakesPlace):
			return nobody
		}
	}
	for _, f := range inner {
		if of := known.Of(f.Function); of.Is(known.CallsOut) && (does(inner, known.ReceivesOnSocket) ||
			of.Is(known.HasOwnReader)) {
			return of
		}
	}
	return nobody
}

// batched is how many questions a goroutine that writes for all callers puts into one write at most, before the waits
// are for what the other side sends on its own. gRPC's had 2 or 3 (modules/wishes-grpc-each, holdout5/journeys).
const batched = 4

// awaitsReader is how many answers are awaited in a dependency, which a goroutine of the same module has read from the
// network: it ends the wait.
func awaitsReader(r *Reading, w traces.Wait, inner traces.Stack, s *traces.Summary, writes []traces.Site) int64 {
	at := slices.IndexFunc(inner, func(f traces.Frame) bool { return r.Traced(f).Owner == stacks.Dependency })
	if at < 0 || len(w.Wakers) == 0 || len(w.Wakers[0].Stack) == 0 {
		return 0
	}
	module, by := tracedModule(r, inner[at]), w.Wakers[0].Stack
	waker := by[len(by)-1]
	ofModule := func(f traces.Frame) bool { return tracedModule(r, f) == module }
	if !ofModule(waker) || !readsNetwork(r, s, func(f traces.Frame) bool { return f.Function == waker.Function }) ||
		slices.ContainsFunc(w.Stack[len(inner):], ofModule) { // the server that called the user's line
		return 0
	}
	return min(batched*written(writes, ofModule), w.Times.Count)
}

// readsNetwork reports whether goroutines with such an outermost function wait for what comes over the network, below
// no line of the user's.
func readsNetwork(r *Reading, s *traces.Summary, root func(traces.Frame) bool) bool {
	return slices.ContainsFunc(s.Blocking, func(w traces.Wait) bool {
		return w.Reason == "network" && len(w.Stack) > 0 && root(w.Stack[len(w.Stack)-1]) &&
			!slices.ContainsFunc(w.Stack, r.IsUsers)
	})
}
