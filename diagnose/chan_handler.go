package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// A client of a broker calls the handler of a subscription in one goroutine, one message after the other. What has not
// been handled waits in the client or at the broker, where no goroutine shows it. The handler itself does: it never
// waits for the next message.

// Bounds of a handler that does not keep up.
const (
	handlerWaits = 0.9 // of the trace in waits at the handler's own lines; 10 % are for what it computes
	handlerCalls = 50  // waits in it: a long poll or a job ends less often
)

// A oneHandler is a goroutine of a dependency that spends its time in waits of the user's code.
type oneHandler struct {
	fn     traces.Frame // where the function waits that the dependency calls, or that this one calls
	worst  traces.Wait  // the longest wait
	waited time.Duration
	waits  int
	name   string
}

// busyHandler finds it: the only goroutine with its outermost function, a dependency's, which has called the user's.
func (r *Reading) busyHandler(s *traces.Summary) (best oneHandler, ok bool) {
	for _, g := range s.Goroutines {
		if g.Number != 1 {
			continue
		}
		h := oneHandler{name: g.Name}
		for _, w := range s.Blocking {
			at, called := r.calledBack(w.Stack, g.Name)
			if !called || servesTraced(w.Stack) {
				continue
			}
			h.waited += w.Times.Total
			h.waits += int(w.Times.Count)
			if w.Times.Total > h.worst.Times.Total {
				h.worst, h.fn = w, at
			}
		}
		if h.waits >= handlerCalls && h.waited.Seconds() >= handlerWaits*s.Span.Seconds() && h.waited > best.waited {
			best, ok = h, true
		}
	}
	return best, ok
}

// calledBack is the line of the user's function that a goroutine of a dependency called, through which it waits.
func (r *Reading) calledBack(s traces.Stack, goroutine string) (at traces.Frame, ok bool) {
	if len(s) == 0 || s[len(s)-1].Function != goroutine || r.tracedOwner(s[len(s)-1]) != stacks.Dependency {
		return at, false
	}
	for i := len(s) - 1; i >= 0; i-- { // the outermost, or what its closure calls
		if r.tracedOwner(s[i]) != stacks.User {
			if ok {
				return at, true
			}
			continue
		}
		was := ok
		at, ok = s[i], true
		if was {
			return at, true
		}
	}
	return at, ok
}

func (r *Reading) tracedOwner(f traces.Frame) stacks.Owner {
	return stacks.FuncOf(f.Function, f.File, r.Build.Module).Owner
}

// handlerAnswer reports such a handler, as a notice: the trace does not show how much waits before it.
func (r *Reading) handlerAnswer() Answer {
	s, from := r.trace()
	if s == nil {
		return Answer{}
	}
	h, ok := r.busyHandler(s)
	if !ok {
		return Answer{}
	}
	place, busy := tracedPlace(h.fn), min(h.waited.Seconds()/s.Span.Seconds(), 1)
	at, _ := r.tracedLine(h.worst.Stack)
	f := casefile.Finding{
		Title:      "One goroutine handles every message, one after the other, at " + place,
		Score:      capNotice,
		Confidence: Confidence(busy, float64(h.waits)),
		Summary: fmt.Sprintf("%s is one goroutine. It spends %s of its time in waits of the handler at %s, most at %s "+
			"(%s each), and never waits for a message: more come than it can handle, or as many.",
			short(h.name), percent(busy), place, tracedPlace(at), seconds(h.worst.Times.Mean().Seconds())),
		Explanation: "The client of a broker calls a subscription's handler for one message after the other. While it " +
			"waits for somebody else, the next messages wait in the client or at the broker, and the CPU is idle. No " +
			"goroutine shows that queue: ask the client or the broker how many are pending.",
		Where: []casefile.Frame{tracedFrame(h.fn, busy, "waits for others (share of the time)")},
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(busy),
			Text: percent(busy) + " of the only goroutine's time"},
		Remedies: remediesAt(place, handlerRemedies()...),
		Evidence: traceBasis(s, from),
	}
	if at != h.fn {
		f.Where = append(f.Where, tracedFrame(at, busy, "waits here"))
	}
	return found(f)
}

func handlerRemedies() []Remedy {
	return []Remedy{
		byChange("", "Handle several at a time", "In {line}, hand each message to one of a fixed number of goroutines "+
			"(errgroup with SetLimit; as many as the service it waits for can take), or subscribe several times to the "+
			"same queue group.", "messages are no longer handled in order; divide them by key if that matters"),
		byChange("", "Ask for several messages at once", "Collect messages and make one call for all of them.",
			"a message waits for the others"),
	}
}
