package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A pile is the goroutines that wait at one place for one thing.
type pile struct {
	at      stacks.FrameID // the user's line, otherwise the outermost frame that is not the runtime's
	user    bool           // at is the user's
	wait    stacks.Wait
	n       int64
	started map[stacks.FrameID]int64 // go statements, from a dump with debug=2
	root    map[stacks.FrameID]int64 // the goroutines' own functions
	minutes int64                    // sum of whole minutes waited; only a dump with debug=2 has them
	longest int64
	waiting int64 // how many waited a minute or more
	dump    bool
	stack   []stacks.FrameID // of the sample with the most goroutines
	most    int64            // how many that sample has
}

type pileKey struct {
	at   stacks.FrameID
	wait stacks.Wait
}

// makePiles groups the goroutines of a set by place and wait; the largest first.
func makePiles(r *Reading, s *stacks.Set) []*pile {
	count := stacks.ByValue(s.Value(s.Kind, "count")) // the kind goroutineleak, too
	byKey := make(map[pileKey]*pile)
	for i := range s.Samples {
		sample := &s.Samples[i]
		n := count(sample)
		if n <= 0 || len(sample.Stack) == 0 {
			continue
		}
		at, user := r.WaitPlace(sample.Stack)
		k := pileKey{at, s.Wait(i)}
		p := byKey[k]
		if p == nil {
			p = &pile{at: at, user: user, wait: k.wait, started: map[stacks.FrameID]int64{},
				root: map[stacks.FrameID]int64{}}
			byKey[k] = p
		}
		p.n += n
		if n > p.most {
			p.stack, p.most = sample.Stack, n
		}
		p.root[r.Table.Root(sample.Stack)] += n
		if s.Goroutines != nil {
			p.addDump(s.Goroutines[i], n)
		}
	}
	out := make([]*pile, 0, len(byKey))
	for _, p := range byKey {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *pile) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at, b.at), cmp.Compare(a.wait, b.wait))
	})
	return out
}

func (p *pile) addDump(g stacks.Goroutine, n int64) {
	p.dump = true
	p.minutes += g.Minutes
	p.waiting += g.Waiting
	p.longest = max(p.longest, g.Longest)
	if g.CreatedBy != stacks.NoFrame {
		p.started[g.CreatedBy] += n
	}
}

// WaitPlace is where a goroutine with this stack, leaf first, waits: the innermost line of the user's code, otherwise
// the outermost frame, which shows what the goroutine is (net/http.(*conn).serve).
func (r *Reading) WaitPlace(stack []stacks.FrameID) (stacks.FrameID, bool) {
	if id, i := r.Table.UserFrame(stack); i >= 0 {
		return id, true
	}
	return r.Table.Root(stack), false
}

// goroutineSets are the goroutine evidence, oldest first; where one moment has both a dump and a profile, both are
// there.
func (r *Reading) goroutineSets() []*stacks.Set { return r.All(casefile.Goroutine) }

// Goroutines is the set of goroutines to judge, or nil. From the best phase it is the latest dump with states and
// times, otherwise the profile with the most goroutines: a profile taken after the trouble shows fewer, and one of a
// growing pile shows more.
func (r *Reading) Goroutines() *stacks.Set {
	for _, s := range slices.Backward(r.Best(casefile.Goroutine)) {
		if s.Goroutines != nil {
			return s
		}
	}
	return mostGoroutines(r)
}

// mostGoroutines is the evidence with the most goroutines, from the time of the trouble or after it if there is any.
func mostGoroutines(r *Reading) *stacks.Set {
	var most *stacks.Set
	var n int64
	for _, s := range r.Sets {
		if s.Kind != casefile.Goroutine || s.Phase == casefile.Before {
			continue
		}
		if all := s.Total(stacks.ByValue(s.Value(casefile.Goroutine, "count"))); most == nil || all >= n {
			most, n = s.Set, all
		}
	}
	if most == nil { // there is nothing but a baseline
		most = r.Latest(casefile.Goroutine)
	}
	return most
}

func ofDependency(f *stacks.Func) bool { return f.Owner == stacks.Dependency }

// idleConnection reports whether a pile is connections that wait for their next request, and on which side.
func (p *pile) idleConnection(t *stacks.Table) (string, bool) {
	if p.user || t.Has(p.stack, withRole(known.BeginsRequest)) && t.Has(p.stack, ofDependency) {
		return "", false // a request: a library's handler is below the server
	}
	switch f := t.Func(p.at); {
	case f.Does(known.ServesConn):
		return "connections to the HTTP server that are idle between requests", true
	case f.Does(known.WatchesClient):
		// Its handler is elsewhere.
		return "readers that notice when a client leaves, one for each request in progress", true
	case f.Does(known.OfHTTPClient):
		return "connections of an HTTP client that are kept for reuse, or whose response body was never closed", true
	case f.Does(known.OfHTTP2Server, known.OfGRPCTransport):
		return "HTTP/2 or gRPC connections", true
	}
	return "", false
}
