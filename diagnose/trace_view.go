package diagnose

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

const captureTrace = "curl -fo trace.out 'http://HOST/debug/pprof/trace?seconds=5'"

func needTrace() []Need {
	return []Need{{Kinds: []string{traces.KindSummary}, Reason: "no execution trace", Capture: captureTrace}}
}

// traceBasis is the trace as the basis of a finding; nothing without one.
func traceBasis(r *Reading) []casefile.Basis {
	_, basis := r.Trace()
	return basis
}

// maxSummary bounds a summary that is unpacked: one has less than 1 MB.
const maxSummary = 16 << 20

// isTraceSummary reports whether evidence is a summary as JSON, gzipped or not: what `casebook trace --json` prints.
func isTraceSummary(e Evidence) bool {
	if e.Kind != "" {
		return e.Kind == traces.KindSummary
	}
	head := bytes.TrimLeft(unzippedHead(e.Data), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"span_ns"`)) &&
		bytes.Contains(head, []byte(`"procs"`))
}

// unzippedHead is the first KiB of data, unzipped if it is gzipped and can be read.
func unzippedHead(data []byte) []byte {
	if !stacks.IsGzip(data) {
		return data[:min(len(data), 1024)]
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	head := make([]byte, 1024)
	n, _ := io.ReadFull(z, head) // what is damaged further on is reported when it is read
	return head[:n]
}

// readTraceSummary reads a summary that was written as JSON, gzipped or not.
func readTraceSummary(r *Reading, e Evidence, rep *Report) {
	s, err := traceSummary(e.Data)
	if err != nil {
		rep.Problems = append(rep.Problems, Problem{e.Name, "no summary of a trace: " + err.Error(),
			"make it again: casebook trace --json trace.out > trace.json"})
		return
	}
	e.Kind, e.Value = traces.KindSummary, s
	readValue(r, e, rep)
}

func traceSummary(data []byte) (*traces.Summary, error) {
	in := io.Reader(bytes.NewReader(data))
	if stacks.IsGzip(data) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = z
	}
	data, err := io.ReadAll(io.LimitReader(in, maxSummary+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxSummary:
		return nil, fmt.Errorf("larger than %d MiB", maxSummary>>20)
	}
	s := new(traces.Summary)
	return s, json.Unmarshal(data, s)
}

// isRuntimes reports whether a goroutine type is the runtime's own.
func isRuntimes(function string) bool {
	return stacks.FuncOf(function, "", "").Owner == stacks.Runtime
}

func tracedPlace(f traces.Frame) string { return frameText(tracedFrame(f, 0, "")) }

// sortFalling sorts by falling weight.
func sortFalling[T any, W cmp.Ordered](all []T, weight func(T) W) {
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(weight(b), weight(a)) })
}

func tracedFrame(f traces.Frame, share float64, role string) casefile.Frame {
	return casefile.Frame{Function: f.Function, File: f.File, Line: f.Line, Share: roundShare(share), Role: role}
}

// tracedModule is the module of a dependency's frame of a trace; "" of other code.
func tracedModule(r *Reading, f traces.Frame) string {
	if of := r.Traced(f); of.Owner == stacks.Dependency {
		return of.Module()
	}
	return ""
}

// tracedCaller is the user's function that calls a line of the user's; false where no other is on the stack above it.
func tracedCaller(r *Reading, s traces.Stack, at traces.Frame) (f traces.Frame, ok bool) {
	i := slices.Index(s, at)
	for _, f := range s[i+1:] {
		if f.Function != at.Function && r.IsUsers(f) {
			return f, true
		}
	}
	return traces.Frame{}, false
}

// numbersWaiting are the fewest and the most goroutines that wait in some way at a line of a trace, over the moments.
func numbersWaiting(r *Reading, at traces.Frame, in stacks.Wait) (least, most int64) {
	for i, s := range r.Moments() {
		n := int64(0)
		for _, p := range r.Piles(s) {
			if p.Wait == in && r.IsAt(p.At, at) {
				n += p.N
			}
		}
		if most = max(most, n); i == 0 || n < least {
			least = n
		}
	}
	return least, most
}

// tracedCalls is who calls a line of the user's, as the last place of a finding; nothing where nobody else of the
// user's is on the stack.
func tracedCalls(r *Reading, s traces.Stack, at traces.Frame, share float64) []casefile.Frame {
	by, ok := tracedCaller(r, s, at)
	if !ok {
		return nil
	}
	return []casefile.Frame{tracedFrame(by, share, "calls it")}
}

// requestTimes are what requests to servers took that began and ended within a trace.
type requestTimes struct {
	number int64
	took   time.Duration // by all of them together, without waiting for profiles
	queued time.Duration // of it in the queue for a processor
	p50    time.Duration // of the kind of server with the highest p99
	p99    time.Duration
}

func tracedRequests(s *traces.Summary) (t requestTimes) {
	captures := captureTime(s)
	for _, k := range s.Kinds {
		if isServer(k) {
			own := min(captures, k.Spent.Select)
			captures -= own
			t.number += k.Times.Count
			t.took += k.Times.Total - own
			t.queued += k.Spent.Runnable
			if k.Times.P99 > t.p99 {
				t.p50, t.p99 = k.Times.P50, k.Times.P99
			}
		}
	}
	_, asked := peerInside(s)
	t.number, t.took = t.number-asked.Count, t.took-asked.Total
	return t
}

// tail is what a second call of late ones is judged by.
func (t requestTimes) tail() tail {
	return tail{p50: max(t.p50, time.Nanosecond).Seconds(), p99: t.p99.Seconds()}
}

// feltAt is for how long the slowest requests waited at a stack, if one request in a hundred takes as long: what people
// notice, though a capture may meet nobody there.
func feltAt(s *traces.Summary, at traces.Stack) time.Duration {
	return min(s.InSlowest(at), tracedRequests(s).p99)
}

// slowMoments is at how many moments, one after the other, the slowest requests of a trace took so long, and half of
// that or more at a line.
func slowMoments(s *traces.Summary, at traces.Frame, took time.Duration) (n int) {
	slow := slices.DeleteFunc(slices.Clone(s.Slowest), func(q traces.Request) bool {
		return q.Took < took || !slices.ContainsFunc(q.Path, func(p traces.Step) bool {
			return 2*p.Took >= q.Took && slices.Contains(p.Stack, at)
		})
	})
	slices.SortFunc(slow, func(a, b traces.Request) int { return cmp.Compare(a.At+a.Took, b.At+b.Took) })
	end := time.Duration(-1)
	for _, q := range slow {
		if q.At > end {
			n, end = n+1, q.At+q.Took
		}
	}
	return n
}

// peerInside is the handler that answers the HTTP calls of this very process, and what these took; "" without one. Its
// requests wait there as often and nearly as long as all calls, and make none. Who feels anything is those that call.
func peerInside(s *traces.Summary) (handler string, asked traces.Times) {
	for _, k := range s.Kinds {
		if k.Name == "net/http client" && k.Times.Count >= syscallRequests {
			asked = k.Times
		}
	}
	callers := make(map[string]bool)
	for _, w := range s.Blocking {
		if servesTraced(w.Stack) && does(w.Stack, known.AsksHTTP) {
			callers[outermost(w.Stack)] = true
		}
	}
	for _, w := range s.Blocking {
		h, n := outermost(w.Stack), w.Times.Count
		if h != "" && !callers[h] && n > 0 && 50*max(n-asked.Count, asked.Count-n) <= asked.Count &&
			w.Times.Total <= asked.Total && 2*w.Times.Total >= asked.Total {
			return h, asked
		}
	}
	return "", traces.Times{}
}

// outermost is the first function of a request that is not the standard library's: its handler, or a middleware; "" of
// other stacks.
func outermost(s traces.Stack) string {
	if !servesTraced(s) {
		return ""
	}
	for _, f := range slices.Backward(s) {
		if o := stacks.FuncOf(f.Function, f.File, "").Owner; o == stacks.User || o == stacks.Dependency {
			return f.Function
		}
	}
	return ""
}

// receivesTraced is the user's line of a wait to receive from a channel, and who ends it.
func receivesTraced(r *Reading, w traces.Wait) (at traces.Frame, by traces.Waker, ok bool) {
	if w.Reason != "channel" || len(w.Wakers) == 0 || !does(w.Stack, known.Receives) {
		return at, by, false
	}
	at, ok = r.TracedLine(w.Stack)
	return at, w.Wakers[0], ok
}

// captureTime is how long requests for profiles over seconds waited for these to pass: not what a service answers
// with. That for the trace itself ends after it.
func captureTime(s *traces.Summary) (waited time.Duration) {
	for _, w := range s.Blocking {
		ofPprof := does(w.Stack, known.ServesProfiles)
		if w.Reason == "select" && ofPprof && !does(w.Stack, known.ServesTrace) {
			waited += w.Times.Total
		}
	}
	return waited
}

func isServer(k traces.Kind) bool { return k.Name == "net/http server" || k.Name == "gRPC server" }

// isCounted reports whether a stack is below no server whose requests a summary does not count: what they do cannot be
// divided by them.
func isCounted(s traces.Stack) bool {
	return !hasRole(s, known.ServesApart)
}

// answeredInside reports whether all who end a wait in a channel are known, and none of them ever waits for the network
// or ends a context: a database within the process, whose driver has a goroutine for each call, makes no round trip.
func answeredInside(s *traces.Summary, w traces.Wait) bool {
	parked := (w.Reason == "select" || w.Reason == "channel") && !does(w.Stack, known.AwaitsHTTP)
	return parked && len(w.Wakers) > 0 && !slices.ContainsFunc(w.Wakers, func(by traces.Waker) bool {
		i := slices.IndexFunc(s.Goroutines, func(g traces.GoroutineType) bool { return g.Name == by.Goroutine })
		return i < 0 || s.Goroutines[i].Spent.Network > 0 || known.Of(by.Goroutine).Does(known.EndsContext)
	})
}
