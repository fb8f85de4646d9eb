package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// turnsLeast is how many requests wait for their turn at least, in both captures: a pool's places are few.
const turnsLeast = 5

// oneAtATime is requests that wait for an answer which one of them at a time gets: in each capture one is beyond that
// line, and in a trace the time beyond it adds up to the trace's own. So what they ask for is a lock of the peer's, and
// the one beyond it keeps that. It is not the peer that is slow, and no limit of connections.
func oneAtATime(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	s, from := r.Trace()
	if s == nil {
		return a, false
	}
	for _, p := range g.Piles {
		h, function, turns := g.Turn(p, turnsLeast)
		if !turns {
			continue
		}
		if beyond := timeBeyond(r, s, g.Table.Func(function).Name, g.Table.Line(function)); 5*beyond >= 4*s.Span &&
			10*beyond <= 11*s.Span {
			a = turnAnswer(r, g, p, h, fmt.Sprintf("%s of the %s that the trace lasts", seconds(beyond.Seconds()),
				seconds(s.Span.Seconds())))
			a.basis = from
			return a, true
		}
	}
	return a, false
}

// timeBeyond is how long requests of a trace wait behind a line of a function, all together.
func timeBeyond(r *Reading, s *traces.Summary, function string, line int) (sum time.Duration) {
	for _, w := range s.Blocking {
		for _, f := range w.Stack {
			if f.Line > line && r.Traced(f).Name == function {
				sum += w.Times.Total + w.Open
				break
			}
		}
	}
	return sum
}

func turnAnswer(r *Reading, g *wait.Graph, p *wait.Pile, h wait.Holder, beyond string) waitAnswer {
	n, at, has := p.Last(), lineText(r, p), lineText(r, h.Pile)
	a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure,
		places: append(placesOf(p, "waits for its turn"), waitPlace{at: h.Line, n: h.Last(), role: "the one that has it"}),
		title:  fmt.Sprintf("Requests wait at %s for a lock outside of the process, which the one at %s has", at, has)}
	more := ""
	if q, queued := placeQueue(g); queued && q.First() != p {
		a.waiters, a.n = append(a.waiters, q.Waiters...), n+q.Last()
		a.places = append(a.places, placesOfAll(q.Waiters, 2, "waits behind them")...)
		more = fmt.Sprintf(" %s more wait for a %s, which these hold.", count(float64(q.Last())), whatPlace(q.First()))
	}
	a.summary = fmt.Sprintf("%s wait at %s in %s. In each capture one request is beyond that line, now at %s, and the "+
		"waits beyond it are %s: there is never more than one, and hardly ever none. So it is given to one at a time.%s",
		count(float64(n)), at, callee(r, p), has, beyond, more)
	a.why = "A row that is updated, a lock by name, or a database that has one writer stays with a transaction or " +
		"session until that ends. All others wait for it with their connections in their hands, however many there are, " +
		"and the database has nothing to do."
	a.remedies = append(a.remedies,
		doChange("Lock last", fmt.Sprintf("Do what is done at %s before %s, so that what is locked there is locked just "+
			"before the end; or give it back before, in a transaction of its own.", has, at), "two steps are no longer one"),
		doChange("Lock less", fmt.Sprintf("At %s: a row or a key for each of what may go on side by side, or a sequence "+
			"where only a number is wanted.", at), "numbers may have gaps"))
	return a
}

// takenForGood reports whether requests wait for places of a pool of which none is given back: nobody of it ends a wait
// in the trace.
func takenForGood(r *Reading, s *traces.Summary, p *wait.Pile) bool {
	if p.For != wait.Place || !p.InAll() || p.Role.Roles&known.AwaitsPlace == 0 {
		return false
	}
	pkg := r.Table.Func(p.At).Package
	for w := range r.WaitsAt(s, p.Line) {
		for _, by := range w.Wakers {
			for _, f := range by.Stack {
				if stacks.FuncOf(f.Function, f.File, "").Package == pkg {
					return false
				}
			}
		}
	}
	return true
}
