package rule

import (
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// maxPlaces bounds what is remembered of a census: 1,000 places are 100 kB. Those known longest are kept.
const maxPlaces = 1000

// A census is what the engine knows about the places at which goroutines wait.
type census struct {
	number  uint64 // of the censuses taken
	places  map[uint64]*tracked
	running map[string]*polled // functions
	settled time.Time          // when places were counted last
}

// settleEvery is the shortest time between counts of places: by censuses 15 s apart a pile never falls. By those 2 s
// apart, a pile that grows by a few goroutines now and then does.
const settleEvery = 14 * time.Second

// A tracked place is one that some rule wants to know about.
type tracked struct {
	fn, wait string
	count    int
	since    time.Time // of the first census with this count
	first    int       // number in the first of the censuses since which none found fewer than the one before
	rising   time.Time // when that was
	number   uint64    // of the last census that had it
	found    int       // in that census
	marks    marks
}

// noStacks is why recorded vitals cannot decide conditions on censuses.
const noStacks = "recorded vitals hold no stacks: only a live process can be judged on this"

// Needs reports whether any rule looks at stacks. If none does, Census need not be called.
func (e *Engine) Needs() bool { return e.needs }

// Census tells the engine where goroutines are at a time: all of the process's stacks, each with its count. The next
// Step uses it. It keeps nothing of places except copies of two strings.
func (e *Engine) Census(t time.Time, places []vitals.Place) {
	c := &e.census
	c.number++
	if c.places == nil {
		c.places, c.running = make(map[uint64]*tracked), make(map[string]*polled)
	}
	for i := range places {
		if places[i].Runs {
			c.addRunning(&places[i], t)
		}
	}
	c.settleRunning()
	settles := t.Sub(c.settled) >= settleEvery
	if settles {
		c.settled = t
		e.countPlaces(t, places)
	}
	e.eachNode(func(n *node) {
		if n.kind.census != nil {
			n.kind.census(n, c, t, settles)
		}
	})
}

// countPlaces updates what is known of the places at which goroutines wait.
func (e *Engine) countPlaces(t time.Time, places []vitals.Place) {
	for i := range places {
		if e.wants(&places[i]) {
			e.census.add(&places[i])
		}
	}
	e.census.settle(t)
}

// wants reports whether some rule may look at a place. Its count does not matter: two entries may be about one place.
func (e *Engine) wants(p *vitals.Place) bool {
	if p.Count <= 0 {
		return false
	}
	wanted := false
	e.eachNode(func(n *node) { wanted = wanted || n.kind.wants != nil && n.kind.wants(n, p) })
	return wanted
}

// add counts a place of the census under way.
func (c *census) add(p *vitals.Place) {
	t := c.places[p.Key]
	if t == nil {
		if len(c.places) >= maxPlaces {
			return
		}
		// Clones, because a part of a profile's text would keep all of it in memory.
		t = &tracked{fn: strings.Clone(p.Func), wait: strings.Clone(p.Wait)}
		c.places[p.Key] = t
	}
	if t.number != c.number {
		t.number, t.found = c.number, 0
	}
	t.found += p.Count
}

// settle ends a census: places that it did not have are forgotten, and those with another count start again.
func (c *census) settle(at time.Time) {
	for key, t := range c.places {
		if t.number == c.number {
			t.marks.add(at, t.found)
		}
		switch {
		case t.number != c.number:
			delete(c.places, key)
		case t.found != t.count:
			if t.found < t.count || t.count == 0 {
				t.first, t.rising = t.found, at
			}
			t.count, t.since = t.found, at
		}
	}
}

// longest is the place that counts for a Stuck and has been the same for the longest; of several, the one with most
// goroutines. With Growing it is the place at which the number rose most.
func (c *census) longest(st *Stuck, at time.Time) holding {
	best := holding{at: at}
	for _, t := range c.places {
		if !st.wants(t.fn, t.wait, t.count) {
			continue
		}
		h := holding{at: at, fn: t.fn, wait: t.wait, count: t.count, since: t.since}
		if st.Growing {
			h.first, h.since = t.first, t.rising
		}
		more := (h.count - h.first) - (best.count - best.first)
		if best.count == 0 || st.Growing && more > 0 || (!st.Growing || more == 0) && h.before(&best) {
			best = h
		}
	}
	return best
}

// before orders places for longest; the names make it an order without ties that matter.
func (h *holding) before(other *holding) bool {
	switch {
	case !h.since.Equal(other.since):
		return h.since.Before(other.since)
	case h.count != other.count:
		return h.count > other.count
	}
	return h.fn < other.fn
}
