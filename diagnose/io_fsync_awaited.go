package diagnose

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A library may have a goroutine of its own that forces to the disk what all callers have written: badger, Pebble, a
// service's own group commit. Requests wait for a lock or a channel until that goroutine wakes them, and the trace has
// who did.

// A syncer is the goroutines with one outermost function that make such calls and serve no request.
type syncer struct {
	call string // "fdatasync"
	took time.Duration
	at   traces.Frame // the user's line that makes the longest; no function: it is a library's goroutine
	most time.Duration
	// calls is how many there are at the longest
	calls int64
}

// syncers are by outermost function: a type's name may be that of a wrapper that no stack shows.
func syncers(r *Reading, s *traces.Summary) map[string]syncer {
	out := make(map[string]syncer)
	for _, c := range s.Syscalls {
		if name := kernelCall(c.Stack); forcesDisk(name) && !servesTraced(c.Stack) {
			outermost := c.Stack[len(c.Stack)-1].Function
			of := out[outermost]
			of.call, of.took = name, of.took+c.Times.Total
			if at, ok := r.TracedLine(c.Stack); ok && c.Times.Total > of.most {
				of.at, of.most, of.calls = at, c.Times.Total, c.Times.Count
			}
			out[outermost] = of
		}
	}
	return out
}

// busyTimes are how long the goroutines of each type were busy, in system calls too.
func busyTimes(s *traces.Summary) map[string]time.Duration {
	out := make(map[string]time.Duration, len(s.Goroutines))
	for _, g := range s.Goroutines {
		out[g.Name] = g.Spent.Running + g.Spent.Assist + g.Spent.Runnable + g.Spent.Syscall
	}
	return out
}

// awaitedSyncs are the waits of requests for syncers, by line. While a request waits for one, it is as busy as it
// always is, so the same part of the wait is for the disk. Which requests wait is not known: it is shared among all.
// Syncers that rest for half of the trace have no queue before them: a request waits for the call that is under way and
// for its own, and otherwise until somebody wakes them.
func awaitedSyncs(r *Reading, s *traces.Summary) (out []servedCall) {
	by, busy := syncers(r, s), busyTimes(s)
	all := tracedRequests(s)
	for _, w := range s.Blocking {
		at, ok := r.TracedLine(w.Stack)
		if len(by) == 0 || !ok || !servesTraced(w.Stack) || logs(r, w.Stack) {
			continue
		}
		c := servedCall{at: at, Served: traces.Served{Stack: w.Stack, Requests: all.took}}
		c.Took.Count = all.number
		for _, k := range w.Wakers {
			if of, known := wokenBy(by, k.Stack); known {
				part := min(float64(of.took)/max(float64(busy[k.Goroutine]), 1), 1)
				if n, _ := readersOfType(r, s, k.Goroutine); n > 0 && 2*busy[k.Goroutine] <= time.Duration(n)*s.Span {
					part = min(part, 2*float64(of.most)/float64(of.calls)/max(float64(w.Times.Mean()), 1))
				}
				c.name, c.by, c.does = of.call, k.Goroutine, of.at
				c.Calls += k.Count
				c.Took.Total += time.Duration(part * float64(k.Waited))
				c.Took.P50 = time.Duration(part * float64(w.Times.P50))
			}
		}
		if c.Calls > 0 {
			out = addServed(out, c)
		}
	}
	return out
}

func wokenBy(by map[string]syncer, waker traces.Stack) (of syncer, ok bool) {
	if len(waker) > 0 {
		of, ok = by[waker[len(waker)-1].Function]
	}
	return of, ok
}
