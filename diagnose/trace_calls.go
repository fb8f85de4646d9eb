package diagnose

import (
	"slices"
	"strings"
	"time"

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
	times traces.Times // of the waits; Count may be higher than calls: an answer can come in pieces
	own   bool         // in the request's own goroutine; otherwise in one that it started
	what  string       // "an HTTP request"; "an answer" where the protocol is not known
}

// mean is how long a call waits.
func (a *tracedAsk) mean() time.Duration { return a.times.Total / time.Duration(max(a.calls, 1)) }

// tracedAsks are the calls of a trace by line, the longest waiting first.
func (r *Reading) tracedAsks(s *traces.Summary) []tracedAsk {
	var writes []traces.Site
	for _, site := range s.Syscalls {
		if isWrite(site.Stack) {
			writes = append(writes, site)
		}
	}
	index := make(map[traces.Frame]int)
	var out []tracedAsk
	for _, w := range s.Blocking {
		a, ok := r.tracedAsk(s, w, writes)
		if !ok {
			continue
		}
		i, known := index[a.at]
		if !known {
			index[a.at] = len(out)
			out = append(out, a)
			continue
		}
		out[i].times.Count += a.times.Count
		out[i].times.Total += a.times.Total
		out[i].calls = max(out[i].calls, a.calls)
		out[i].own = out[i].own && a.own
	}
	sortFalling(out, func(a tracedAsk) time.Duration { return a.times.Total })
	return out
}

// tracedAsk reads one site of a trace; ok is false if no request waits there for an answer.
func (r *Reading) tracedAsk(s *traces.Summary, w traces.Wait, writes []traces.Site) (a tracedAsk, ok bool) {
	i := slices.IndexFunc(w.Stack, r.isUsers)
	own := servesTraced(w.Stack)
	if i < 0 || !own && !startedByRequest(s, w.Stack) || pushes(w.Stack[:i]) {
		return a, false
	}
	a = tracedAsk{at: w.Stack[i], stack: w.Stack, times: w.Times, own: own, what: tracedCallee(w.Stack[:i])}
	switch {
	case w.Reason == "select" && w.Stack[:i].Has("net/http.(*persistConn).roundTrip"):
		a.calls = w.Times.Count / 2 // it waits till the question is written, and for the answer
	case (w.Reason == "select" || w.Reason == "channel") && a.what != "":
		a.calls = w.Times.Count
	case w.Reason == "network" && isRead(w.Stack[:i]):
		a.at = w.Stack[r.asker(w.Stack, i, writes)]
		a.calls = min(written(writes, a.at), w.Times.Count)
		if a.what == "" {
			a.what = "an answer"
		}
	}
	return a, a.calls > 0
}

// asker is the index of the line that asks, of a goroutine that reads below the user's line at i. A library's client
// writes and reads below one line. Where lines of the user's do, the function that has both speaks the protocol, and
// whoever calls it asks.
func (r *Reading) asker(stack traces.Stack, i int, writes []traces.Site) int {
	if written(writes, stack[i]) > 0 {
		return i
	}
	for j := i; j < len(stack); j++ {
		if !r.isUsers(stack[j]) || !slices.ContainsFunc(writes, func(w traces.Site) bool {
			return w.Stack.Has(stack[j].Function)
		}) {
			continue
		}
		for k := j + 1; k < len(stack); k++ {
			if r.isUsers(stack[k]) && stack[k].Function != stack[j].Function {
				return k
			}
		}
		return j
	}
	return i
}

// written is how many times a line writes to connections.
func written(writes []traces.Site, at traces.Frame) (n int64) {
	for _, w := range writes {
		if slices.Contains(w.Stack, at) {
			n += w.Times.Count
		}
	}
	return n
}

// startedByRequest reports whether requests start the goroutines of a stack. What WaitGroup.Go starts is about the
// function below it.
func startedByRequest(s *traces.Summary, stack traces.Stack) bool {
	return slices.ContainsFunc(stack[max(len(stack)-2, 0):], func(f traces.Frame) bool {
		return requestsStart(s, f.Function)
	})
}

// requestsStart reports whether requests start the goroutines of a function.
func requestsStart(s *traces.Summary, function string) bool {
	return slices.ContainsFunc(s.Created, func(c traces.GoroutinesFrom) bool {
		return c.Starts == function && servesTraced(c.Stack)
	})
}

// isRead reports whether the frames below the user's line read from a connection that is no request's own.
func isRead(inner traces.Stack) bool {
	return inner.Has("net.(*netFD).Read") && !slices.ContainsFunc(inner, func(f traces.Frame) bool {
		return hasPrefix(f.Function, []string{"net/http.(*conn", "net/http.(*body)", "net/http.(*http2"})
	})
}

// pushes reports whether the frames below the user's line wait for what the other side sends when it likes, or pass a
// stream on: nobody expects these to end soon.
func pushes(inner traces.Stack) bool {
	return slices.ContainsFunc(inner, func(f traces.Frame) bool {
		return isBlockingRead(f.Function) || hasPrefix(f.Function, copies()) ||
			strings.Contains(f.Function, "websocket") ||
			hasPrefix(f.Function, []string{"google.golang.org/grpc.(*clientStream).RecvMsg"}) &&
				!inner.Has("google.golang.org/grpc.(*ClientConn).Invoke")
	})
}

// tracedCallee is whom the frames below the user's line call; "" if that is no client that is known. A wait for a
// connection of a pool, or for one that is being opened, is none for an answer.
func tracedCallee(inner traces.Stack) string {
	for _, f := range inner {
		switch {
		case strings.HasPrefix(f.Function, "net/http.(*persistConn).roundTrip"),
			strings.HasPrefix(f.Function, "net/http.(*http2ClientConn)."):
			return "an HTTP request"
		case f.Function == "google.golang.org/grpc.(*ClientConn).Invoke":
			return "a gRPC call"
		case hasPrefix(f.Function, poolWaits()):
			return ""
		}
	}
	for _, f := range inner {
		if c, ok := callOutOf(f.Function); ok && (inner.Has("net.(*netFD).Read") || answersInProcess(c)) {
			return c.what
		}
	}
	return ""
}

// answersInProcess reports whether whoever calls may wait for a goroutine of the client's: of those that are not told
// from waiting for a connection by their frames.
func answersInProcess(c callOut) bool {
	return !strings.HasPrefix(c.prefix, "net") && !strings.HasPrefix(c.prefix, "google.golang.org/grpc.") &&
		!strings.HasPrefix(c.prefix, "os/exec.")
}

// poolWaits are the frames of those that wait for a connection of a pool.
func poolWaits() (frames []string) {
	for _, p := range connPools() {
		frames = append(frames, p.acquire...)
	}
	return frames
}
