package facts

import (
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
}

// mostEnders is how many enders a wait names.
const mostEnders = 2

// say adds who could end a wait.
func (e *ender) say(b *builder, t *text) {
	at := e.at
	if at == stacks.NoFrame {
		at = b.ownLine(e.pile.Stack)
	}
	if at == stacks.NoFrame {
		at = e.pile.At
	}
	t.say(" "+e.words, count("who could end it", e.n), b.place(at))
	if e.does {
		t.say(" and %s at %s", doing(e.pile), b.place(e.pile.At))
		if line := b.ownLine(e.pile.Stack); line != stacks.NoFrame && line != e.pile.At && line != at {
			t.say(", called at %s", b.place(line))
		}
	}
	t.end()
}

// endersOf are those of a standing: the holders of its queue, and what is known of its piles.
func (b *builder) endersOf(s *standing, by map[*wait.Pile][]ender) (out []ender) {
	if s.queue != nil {
		for _, h := range s.queue.Holders {
			out = append(out, ender{words: "What they wait for is held by %s that have passed %s", n: held(h),
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
	return out[:min(len(out), mostEnders)]
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
		out = append(out, ender{words: "%s is further on in the function that they are in, past %s", n: 1, pile: h.Pile,
			at: h.Past, does: true})
	}
	if q, n := g.Leaders(p); q != nil {
		out = append(out, ender{words: "They have joined the calls of %s that stand at %s", n: n, pile: q,
			at: stacks.NoFrame, does: true})
	}
	if h, at, ok := g.Turn(p, leastTurn); ok {
		out = append(out, ender{words: "In each capture exactly %s is beyond %s", n: 1, pile: h.Pile, at: at, does: true})
	}
	if c, ok := g.CalledBack(p); ok {
		out = append(out, ender{words: "%s of the library's goroutines cannot hand on what has come, at %s, while its " +
			"callback waits for the library", n: c.Loop.Last(), pile: c.Loop, at: c.Loop.At})
	}
	return out
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
		add(r.Waiters, ender{words: "%s takes what they hand over, and is at %s", n: r.Last(), pile: r.Pile,
			at: stacks.NoFrame, does: true})
	}
	if r, ok := g.Relocked(); ok {
		add(r.Waiters, ender{words: "%s holds the lock and waits for it again, below %s", n: r.Last(), pile: r.Pile,
			at: r.Caller, does: true})
	}
	if w, ok := g.Stuck(); ok {
		add(w.Waiters, ender{words: "All %s workers of the pool wait for the pool itself, the most at %s",
			n: wait.Last(w.Piles), pile: w.Piles[0], at: stacks.NoFrame})
	}
	if a, ok := g.BothAsleep(); ok {
		add(a.Waiters, ender{words: "All %s workers sleep in a condition, the most at %s", n: wait.Last(a.Workers),
			pile: a.Workers[0], at: stacks.NoFrame})
	}
	if q, _, ok := g.Employed(); ok {
		add(q.Waiters, ender{words: "All %s workers of the library are in tasks, the most at %s", n: q.HeldLast(),
			pile: q.Holders[0].Pile, at: stacks.NoFrame, does: true})
	}
	if q, ok := g.Opened(); ok {
		add(q.Waiters, ender{words: "As many in each capture, %s, have been let in at %s and stay", n: q.HeldLast(),
			pile: q.Holders[0].Pile, at: q.Holders[0].Past, does: true})
	}
	if q, ok := g.Parents(); ok {
		add(q.Waiters, ender{words: "%s have one, at %s, and wait for goroutines that they started and that need one, too",
			n: q.HeldLast(), pile: q.Holders[0].Pile, at: q.Holders[0].Past})
	}
	return out
}
