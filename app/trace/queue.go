package trace

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// Who does a goroutine wait for? The one that wakes it had the lock last, and that is not enough: after a long hold the
// lock goes from hand to hand through the queue, so that nearly every wait is ended by one that has just waited itself,
// and none by the one for which all have waited. So a wait is divided among the hands that the lock went through: the
// part after the waker's own wait is the waker's, and the part before that is divided as the waker's wait was.
//
// And what is the queue for? If those who wake others have been in the same queue during the same request, what they
// have waited for is a place of which there are few: a connection of a pool, a slot of a semaphore. The time between is
// how long a place is kept.

// A hand is a stretch in which a goroutine had the lock that another one waits for.
type hand struct {
	at       *place // where it gave the lock back
	typ      *goType
	from, to int64
	longest  int64 // of the stretches that were joined
}

// A holder is who had a lock while others waited at a site.
type holder struct {
	at      *place
	typ     *goType
	count   int64 // waits of which a part was for it
	held    int64 // ns of these waits
	longest int64 // ns in a hand
}

// Bounds of what is kept of a goroutine and of a site.
const (
	maxHands   = 32
	maxHolders = 8
)

// handOver divides the wait for a lock that ends now, and adds it to the hands that its goroutine knows of. These go
// back further than one wait: who takes a lock again and again may come before those who have waited for longer.
func (c *tables) handOver(g, waker *goroutine, at *place) {
	if g.locked > 0 {
		g.addHand(hand{g.gave, g.typ, g.locked, g.since, g.since - g.locked}) // whether it had the lock is not known
	}
	from := g.since
	if waker.locked > from {
		for _, h := range waker.hands {
			if h.to > from {
				g.addHand(h.after(from))
				from = h.to
			}
		}
	}
	g.addHand(hand{at, waker.typ, from, c.now, c.now - from})
	g.locked, waker.gave = c.now, at
}

// after is the part of a hand after a moment. What is not known of the time between is taken for a part of it.
func (h hand) after(from int64) hand {
	h.from = from
	h.longest = min(h.longest, h.to-from)
	return h
}

// addHand adds one at the end.
func (g *goroutine) addHand(h hand) {
	g.hands = append(g.hands, h)
	g.joinHands()
}

// joinHands joins the last two hands where they are at the same place, and the shortest with the one before it where
// there are too many.
func (g *goroutine) joinHands() {
	last := len(g.hands) - 1
	join := func(i int) {
		into, h := &g.hands[i-1], g.hands[i]
		into.to, into.longest = h.to, max(into.longest, h.longest)
		g.hands = slices.Delete(g.hands, i, i+1)
	}
	switch {
	case last > 0 && g.hands[last-1].at == g.hands[last].at && g.hands[last].at != nil:
		join(last)
	case len(g.hands) > maxHands:
		shortest := 1
		for i, h := range g.hands[1:] {
			if h.to-h.from < g.hands[shortest].to-g.hands[shortest].from {
				shortest = i + 1
			}
		}
		join(shortest)
	}
}

// holds adds the hands of a wait that began at a time to its site.
func (s *site) holds(hands []hand, from int64) {
	for _, h := range hands {
		if h.to <= from || h.at == nil {
			continue
		}
		h = h.after(max(h.from, from))
		i := slices.IndexFunc(s.holders, func(o holder) bool { return o.at == h.at && o.typ == h.typ })
		if i < 0 && len(s.holders) == maxHolders {
			continue
		}
		if i < 0 {
			i = len(s.holders)
			s.holders = append(s.holders, holder{at: h.at, typ: h.typ})
		}
		o := &s.holders[i]
		o.count++
		o.held += h.to - h.from
		o.longest = max(o.longest, h.longest)
	}
}

// A turn is a goroutine's wait for others that has ended: what it waited for may be a place in a pool, which it then has.
type turn struct {
	at    *place
	start int64 // of the wait
	spent spent // of its goroutine, when the wait ended
	given int64 // the start of the stretch on a P in which the place was given back; 0: not yet
}

// maxTurns bounds what is kept of a goroutine: a request seldom has places in more pools than that.
const maxTurns = 4

// takesTurn notes the end of a wait, before the goroutine's next state begins. The last wait at a line counts.
func (c *tables) takesTurn(g *goroutine) {
	if g.bucket != lock && g.bucket != channel && g.bucket != selecting || len(g.at.frames) == 0 {
		return
	}
	t := turn{at: g.at, start: g.since, spent: g.spent}
	t.spent[g.bucket] += c.now - g.since
	if i := slices.IndexFunc(g.turns, func(o turn) bool { return o.at.sameLine(g.at) }); i >= 0 {
		g.turns[i] = t
		return
	}
	if len(g.turns) == maxTurns {
		g.turns = slices.Delete(g.turns, 0, 1)
	}
	g.turns = append(g.turns, t)
}

// inheritTurns gives a goroutine what the one that starts it has waited for in the request that it is in: a semaphore is
// often taken before a go statement and given back at the end of what that starts.
func (g *goroutine) inheritTurns(from *goroutine) {
	begun := from.requestBegun()
	for _, t := range from.turns {
		if t.start >= begun {
			g.turns = append(g.turns, turn{at: t.at, start: t.start})
		}
	}
}

// requestBegun is when the request began that a goroutine answers; 0 if it answers none.
func (g *goroutine) requestBegun() int64 {
	for _, r := range g.regions {
		if !r.user && servers.has(r.of) {
			return r.start
		}
	}
	return 0
}

// queued looks whether a goroutine that wakes others at a place has waited there itself, during the request that it is
// in, and says what it did since. A place is given back once; a broadcast may wake several for it.
func (c *tables) queued(g *goroutine, at *place) (since spent, ok bool) {
	begun := g.requestBegun()
	for i := range g.turns {
		t := &g.turns[i]
		if t.start >= begun && t.at.sameLine(at) && (t.given == 0 || t.given == g.since) {
			t.given = g.since
			since = g.spent.minus(&t.spent)
			since[g.bucket] += c.now - g.since
			return since, true
		}
	}
	return since, false
}

// sameLine reports whether two places are the same line of the same code: it may be reached on several ways.
func (at *place) sameLine(other *place) bool {
	return at == other || len(at.frames) > 1 && len(other.frames) > 1 && at.frames[1] == other.frames[1] &&
		at.frames[0].Function == other.frames[0].Function
}

// held are the holders of a site's lock, those for whom others waited most first.
func (s *site) held() []traces.Holder {
	var out []traces.Holder
	for _, h := range most(slices.Clone(s.holders), maxWakers, func(h *holder) int64 { return h.held }) {
		out = append(out, traces.Holder{Goroutine: h.typ.name, Stack: h.at.frames, Count: h.count,
			Waited: time.Duration(h.held), Longest: time.Duration(h.longest)})
	}
	return out
}
