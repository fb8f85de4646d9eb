package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// While a request over HTTP/1 is answered, net/http reads from its connection in another goroutine, to notice that the
// client leaves (connReader.backgroundRead in net/http/server.go, Go 1.26). No more requests have a client than there
// are such readers: the others of a place go on for nobody. Some requests do so at any time, until they look at their
// context, and all when their clients stop at once. If some do at first and ever more later, they do not look at it,
// and what they wait for does not come.

// abandonedAt is how many requests at a line have lost their client, at least: all other readers may be those of
// requests elsewhere. Without any reader it is 0: a request whose body was not read to the end has none.
func abandonedAt(r *Reading, set *stacks.Set, at stacks.FrameID) int64 {
	clients := clientReaders(r, set)
	requests := numberOf(r, set, func(p *view.Pile) bool { return p.At == at && isHTTP1(r.Table, p.Stack) })
	if clients == 0 || set.Cut != "" {
		return 0
	}
	return max(requests-clients, 0)
}

// isHTTP1 reports whether a goroutine answers a request on the connection's own goroutine: those of HTTP/2 have
// another.
func isHTTP1(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.ServesConn))
}

// abandons reports whether ever more requests of a pile have lost their client, and wait on for other goroutines.
func abandons(r *Reading, p *view.Pile) (g rise, ok bool) {
	if !p.User || p.N < riseLeast || !parked(p.Wait) || p.Wait.ForLock() || p.Wait == stacks.WaitUnknown ||
		!isHTTP1(r.Table, p.Stack) || callsWhat(r, p.Stack) != "" || waitsForPool(r, p) {
		return g, false
	}
	g = riseOver(r, func(s *stacks.Set) int64 { return abandonedAt(r, s, p.At) })
	return g, g.before >= riseLeast && g.significant && g.steadily && !isSession(r, p.Stack, p.N) && !takesTurns(r, p)
}

// takesTurns reports whether the requests of a pile are in a queue that moves: who wakes them gives back a place in a
// pool, or works or waits for somebody else in between. Their clients have gone because it moves too slowly.
func takesTurns(r *Reading, p *view.Pile) bool {
	if slices.ContainsFunc(ownPools(r), func(pool *ownPool) bool { return r.IsAt(p.At, pool.at) }) {
		return true
	}
	if t, ok := readerInTrace(r, p); ok && t.busy.Function != "" {
		return true
	}
	_, busy := findBusyReader(r, r.Goroutines(), p)
	return busy
}

// abandonedLeaks are the places where requests stay when their client has gone.
func abandonedLeaks(r *Reading, proved []casefile.Finding) (out []casefile.Finding) {
	set := lastMoment(r)
	for _, p := range r.Piles(set) {
		if p.N < riseLeast || len(out) >= maxLeaks {
			break // they come in falling order
		}
		if g, ok := abandons(r, p); ok && !alreadyProved(r, proved, p) && passing(r, p, g) == "" {
			out = append(out, abandonedFinding(r, set, p, g))
		}
	}
	return out
}

func abandonedFinding(r *Reading, set *stacks.Set, p *view.Pile, g rise) casefile.Finding {
	left, gone := count(float64(g.after)), *p
	gone.N = g.after
	f := leakText(r, set, &gone, joined(fmt.Sprintf("%s requests are at %s, %s, and at most %s of them still have their "+
		"client: %s or more wait for nobody", count(float64(p.N)), r.Place(p.At), p.Wait,
		count(float64(max(p.N-g.after, 0))), left), g.String()+", "+g.rate(), pileAge(p)))
	f.Title = fmt.Sprintf("Requests stay at %s when their client has gone: %s are left", r.Place(p.At), left)
	f.Score, f.Confidence = min(leakRateScale().Score(g.perDay()), capUnsure), 0.9
	if sureOfGrowth(r, set, p, g) {
		f.Score, f.Confidence = leakRateScale().Score(g.perDay()), 0.95
	}
	f.Where[0].Role = "waits here, with or without its client"
	f.Remedies = []casefile.Remedy{endWithClient(r, p)}
	if _, inside := waitsInside(r, p.Stack); !inside {
		f.Remedies = append(f.Remedies, letEnd(p.Wait, r.Place(p.At)))
	}
	return f
}

// endWithClient is the remedy for a request that waits without its client.
func endWithClient(r *Reading, p *view.Pile) casefile.Remedy {
	return doChange("End the wait with its client", fmt.Sprintf("At %s, with the context of the request: %s. Return "+
		"then. A write to a client that has gone returns an error: end with that, too.", r.Place(p.At),
		endsBy(r, p.Stack, p.Wait)), "none")
}
