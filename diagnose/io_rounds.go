package diagnose

import (
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// perRound is how often the goroutines that write below the function write between two waits, in the mean, by an
// execution trace; 0 without one. What they write in one go is known when they begin: nobody had to wait for it. A wait
// is counted too often and never too seldom, because a preemption counts as one.
func (p *pieces) perRound(r *Reading) float64 {
	s, _ := r.Trace()
	if s == nil {
		return 0
	}
	calls, writers := p.tracedCalls(r, s)
	waits := int64(1)
	for name := range writers {
		waits += tracedWaits(s, name)
	}
	return float64(calls) / float64(waits)
}

// tracedCalls counts the system calls on connections below the function, and names the goroutines that make them.
func (p *pieces) tracedCalls(r *Reading, s *traces.Summary) (calls int64, by map[string]bool) {
	by = make(map[string]bool)
	fn := r.Table.Funcs[p.fn].Name
	for _, site := range s.Syscalls {
		if !isWrite(site.Stack) || !site.Stack.Has(fn) {
			continue
		}
		calls += site.Times.Count
		for _, g := range s.Goroutines {
			if site.Stack.Has(g.Name) {
				by[g.Name] = true
			}
		}
	}
	return calls, by
}

// tracedWaits is how often goroutines of a type ran again after they had waited. Sleeps are in no latency: their
// waiting for a processor is voluntary.
func tracedWaits(s *traces.Summary, name string) (n int64) {
	for _, g := range s.Goroutines {
		if g.Name == name {
			n += g.Latency.Count
		}
	}
	for _, w := range s.Blocking {
		if w.Reason == "sleep" && w.Stack.Has(name) {
			n += w.Times.Count
		}
	}
	return n
}

// isWrite reports whether a system call writes to a connection.
func isWrite(s traces.Stack) bool {
	return does(s, known.SendsOnSocket)
}
