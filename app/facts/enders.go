package facts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// An ender is goroutines that could end others' wait, or what is known of them.
type ender struct {
	words string // with %s for how many there are and %s for the place
	n     int64
	pile  *wait.Pile
	at    stacks.FrameID // the place; where the pile stands for NoFrame
	does  bool           // say what it does meanwhile
	same  bool           // it waits for the same
}

// mostEnders is how many enders a wait names.
const mostEnders = 2

// say adds the i-th of those who could end a wait.
func (e *ender) say(b *builder, t *text, i int) {
	at := e.at
	if at == stacks.NoFrame {
		at = b.ownLine(e.pile.Stack)
	}
	if at == stacks.NoFrame {
		at = e.pile.At
	}
	name := "goroutines that could end it"
	if i > 0 {
		name = fmt.Sprintf("%s, %d", name, i+1)
	}
	t.say(" "+e.words, counted{count(name, e.n), "goroutines"}, b.place(at))
	if e.does {
		b.sayMeanwhile(t, e, at)
	}
	t.end()
}

// sayMeanwhile says what goroutines at a place do meanwhile.
func (b *builder) sayMeanwhile(t *text, e *ender, at stacks.FrameID) {
	p := e.pile
	t.say(" (%s", doing(p, e.n))
	if at != p.At {
		t.say(" at %s", b.place(p.At))
	}
	if line := b.ownLine(p.Stack); line != stacks.NoFrame && line != p.At && line != at {
		t.say(", called at %s", b.place(line))
	}
	t.say(")")
}

// thing is what an ender waits for, where others wait for a thing.
func (e *ender) thing(others string) string {
	switch {
	case e.same:
		return others
	case e.pile == nil:
		return ""
	}
	return thingOf(e.pile)
}

// endersOf are those of a standing: the holders of its queue, and what is known of its piles.
func (b *builder) endersOf(s *standing, by map[*wait.Pile][]ender) (out []ender) {
	if s.queue != nil {
		for _, h := range s.queue.Holders {
			out = append(out, ender{words: "By where code is, what they wait for is held by %s beyond %s", n: held(h),
				pile: h.Pile, at: h.Past, does: true})
		}
		slices.SortStableFunc(out, func(x, y ender) int { return int(y.n - x.n) })
	}
	for _, p := range s.piles {
		for _, e := range append(slices.Clone(by[p]), b.endersOfPile(p)...) {
			if !slices.ContainsFunc(out, func(o ender) bool { return o.pile == e.pile }) {
				out = append(out, e)
			}
		}
	}
	if len(out) == 0 {
		out = b.beside(s)
	}
	return out[:min(len(out), mostEnders)]
}

// beside are the few goroutines in the same library, or the same type, as where others wait, that wait for something
// else. Nobody says that they are who could end it, but they are the first to look at: the loop that serves all others,
// and what it is at.
func (b *builder) beside(s *standing) (out []ender) {
	p, t := s.first(), b.r.Table
	at := t.Func(p.At)
	if p.For.Outside() || p.For == wait.Nothing || p.For == wait.Collector || at.Owner > stacks.Dependency {
		return nil
	}
	of, method := stacks.Receiver(at.Name)
	same := func(f *stacks.Func) bool {
		if at.Owner == stacks.Dependency {
			return f.Package == at.Package
		}
		own, _ := stacks.Receiver(f.Name)
		return method && own == of
	}
	for _, q := range b.graph.Piles {
		few := q.Last() > 0 && 3*q.Last() <= last(s.n)
		waits := q.For != wait.Nothing && q.For != wait.Asked && (!q.Request || q.For.Outside())
		if few && waits && q.At != p.At && t.Has(q.Stack, same) {
			out = append(out, ender{words: "In the same code: %s at %s", n: q.Last(), pile: q, at: q.At,
				does: true})
		}
	}
	slices.SortStableFunc(out, func(x, y ender) int { return cmp.Compare(stuckness(y.pile), stuckness(x.pile)) })
	return out
}

// stuckness says how much the wait of a loop that should serve others tells: one that sends cannot go on, nor one whose
// peer does not read; one that receives has nothing to do.
func stuckness(p *wait.Pile) int {
	switch {
	case p.Park == stacks.WaitSend:
		return 3
	case p.For == wait.Unread:
		return 2
	case p.For.Outside() || p.For == wait.Lock:
		return 1
	}
	return 0
}

// held is how many goroutines of a holder there are: in the last capture, or in the one with the most.
func held(h wait.Holder) int64 {
	if n := h.Last(); n > 0 {
		return n
	}
	return h.Most()
}

// endersOfPile asks for one pile.
func (b *builder) endersOfPile(p *wait.Pile) (out []ender) {
	g := b.graph
	if h, ok := g.Owner(p); ok {
		out = append(out, ender{words: "Further on in the function that they are in: %s, past %s", n: 1, pile: h.Pile,
			at: h.Past, does: true})
	}
	if q, n := g.Leaders(p); q != nil {
		out = append(out, ender{words: "They have joined the calls of %s at %s", n: n, pile: q,
			at: stacks.NoFrame, does: true})
	}
	if h, at, ok := g.Turn(p, leastTurn); ok {
		out = append(out, ender{words: "In each capture exactly %s is beyond %s", n: 1, pile: h.Pile, at: at,
			does: true})
	}
	if q := b.unsent(p); q != nil {
		out = append(out, ender{words: "Meanwhile the client cannot send what they ask: %s at %s", n: q.Last(), pile: q,
			at: q.At, does: true})
	}
	if c, ok := g.CalledBack(p); ok {
		out = append(out, ender{words: "The library has called the program, which waits for the library: %s at %s",
			n: c.Last(), pile: c.Pile, at: stacks.NoFrame},
			ender{words: "Meanwhile the library cannot hand on what has come: %s at %s", n: c.Loop.Last(),
				pile: c.Loop, at: c.Loop.At})
	}
	return out
}

// unsent are goroutines of a client that cannot send, half as many as those that wait for its answers or more: these
// cannot come before. Nil without any.
func (b *builder) unsent(p *wait.Pile) *wait.Pile {
	pkg := b.r.Table.Func(p.At).Package
	i := slices.IndexFunc(b.graph.Piles, func(q *wait.Pile) bool {
		return p.For == wait.Answer && q.For == wait.Unread && !q.Request && 2*q.Last() >= p.Last() && q.Last() > 0 &&
			b.r.Table.Func(q.At).Package == pkg
	})
	if i < 0 {
		return nil
	}
	return b.graph.Piles[i]
}

// leastTurn is from how many goroutines on that wait it is no coincidence that one alone is beyond (package wait).
const leastTurn = 10

// enders are those that are found once for all piles.
func (b *builder) enders() map[*wait.Pile][]ender {
	g, out := b.graph, make(map[*wait.Pile][]ender)
	add := func(waiters []*wait.Pile, e ender) {
		for _, p := range waiters {
			out[p] = append(out[p], e)
		}
	}
	if r, ok := g.SlowReader(); ok {
		add(r.Waiters, ender{words: "What they hand over is taken by %s, at %s", n: r.Last(), pile: r.Pile,
			at: stacks.NoFrame, does: true})
	}
	if r, ok := g.Relocked(); ok {
		add(r.Waiters, ender{words: "The lock is held, and awaited again, by %s below %s", n: r.Last(), pile: r.Pile,
			at: r.Caller, does: true})
	}
	if w, ok := g.Stuck(); ok {
		add(w.Waiters, ender{words: "All workers of the pool wait for the pool itself: %s, the most at %s",
			n: wait.Last(w.Piles), pile: w.Piles[0], at: stacks.NoFrame, same: true})
	}
	if a, ok := g.BothAsleep(); ok {
		add(a.Waiters, ender{words: "All workers sleep in a condition: %s, the most at %s", n: wait.Last(a.Workers),
			pile: a.Workers[0], at: stacks.NoFrame})
	}
	if q, _, ok := g.Employed(); ok {
		add(q.Waiters, ender{words: "All workers of the library are in tasks: %s, the most at %s", n: q.HeldLast(),
			pile: q.Holders[0].Pile, at: stacks.NoFrame, does: true})
	}
	if q, ok := g.Opened(); ok {
		add(q.Waiters, ender{words: "As many in each capture have been let in and stay: %s at %s", n: q.HeldLast(),
			pile: q.Holders[0].Pile, at: q.Holders[0].Past, does: true})
	}
	if q, ok := g.Parents(); ok {
		add(q.Waiters, ender{words: "Who has one waits for goroutines that it started and that need one, too: %s at %s",
			n: q.HeldLast(), pile: q.Holders[0].Pile, at: q.Holders[0].Past, same: true})
	}
	return out
}
