package rule

import (
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// Goroutines that arrive at one place while none leaves it are a leak at any load and any number: of those that end,
// some end between two censuses. What looks the same for a while are the goroutines of clients that connect, of a pool
// that grows with load, and of one that starts. The first is explained by accepted connections and the second by
// requests; the third comes ever more slowly, because the highest number of places in use at once is what it follows.
//
// A goroutine that sleeps ends by its own clock, and says so.

// marks are the counts of a place in the last censuses, while none was below the one before.
type marks struct {
	n  int
	at [maxMarks]mark // the oldest first
}

type mark struct {
	time  time.Time
	count int
}

// maxMarks is how many censuses are looked back at: settleEvery apart they span two minutes.
const maxMarks = 10

// add takes the count of a census. A smaller one than before begins anew.
func (m *marks) add(at time.Time, count int) {
	if m.n > 0 && count < m.at[m.n-1].count {
		m.n = 0
	}
	if m.n == maxMarks {
		copy(m.at[:], m.at[1:])
		m.n--
	}
	m.at[m.n] = mark{at, count}
	m.n++
}

// since is the mark from which the last ones span a time, nil if they do not.
func (m *marks) since(span time.Duration) *mark {
	for i := m.n - 2; i >= 0; i-- {
		if m.at[m.n-1].time.Sub(m.at[i].time) >= span {
			return &m.at[i]
		}
	}
	return nil
}

// even reports whether the count rose in each third of the time since a mark, and in the second half by most of what it
// rose by in the first, and not by much more: then it began within that time. A pool that follows the most that were in
// use at once reaches 0.58 in the second and third minute of its life, because its growth is that of a logarithm, and
// less later.
func (m *marks) even(from *mark) bool {
	last := m.at[m.n-1]
	span := last.time.Sub(from.time)
	count := func(share time.Duration) float64 { return m.between(from.time.Add(span * share / 6)) }
	first, total := float64(from.count), float64(last.count)
	if !(count(2) > first && count(4) > count(2) && total > count(4)) {
		return false
	}
	before, later := count(3)-first, total-count(3)
	return later >= leastEven*before && later <= maxBend*before
}

// leastEven is between 0.58, of a pool, and 1.
const leastEven = 0.75

// between is the count at a time, on the line between two marks.
func (m *marks) between(at time.Time) float64 {
	for i := 1; i < m.n; i++ {
		a, b := m.at[i-1], m.at[i]
		if !b.time.Before(at) {
			share := at.Sub(a.time).Seconds() / max(b.time.Sub(a.time).Seconds(), 1e-3)
			return float64(a.count) + share*float64(b.count-a.count)
		}
	}
	return float64(m.at[m.n-1].count)
}

// minArrivals is the least number of goroutines that make a line: of twelve that come at random moments, each third of
// the time has one in 98 of 100 cases.
const minArrivals = 12

// connectionPile is how many goroutines at one place a connection may bring.
const connectionPile = 2

// piling is the place at which most goroutines arrived and none left, in an even line, beyond what explains them.
func (c *census) piling(n *node, at time.Time) holding {
	st, h := n.cond.Stuck, n.state.(*holding)
	best := holding{at: at}
	for _, t := range c.places {
		from := t.marks.since(time.Duration(st.For))
		if from == nil || !st.wants(t.fn, t.wait, t.count) || !t.marks.even(from) {
			continue
		}
		arrived := float64(t.count - from.count)
		arrived -= h.explained(at.Sub(from.time), float64(t.count))
		more := int(arrived) - (best.count - best.first)
		if int(arrived) < max(st.Min, minArrivals) || more < 0 || more == 0 && t.fn > best.fn {
			continue
		}
		best = holding{at: at, fn: t.fn, wait: t.wait, count: t.count, first: from.count, since: from.time}
	}
	best.began, best.loads, best.load = h.began, h.loads, h.load
	return best
}

// explained is how many of the goroutines at a place load explains that came within a time.
func (h *holding) explained(span time.Duration, count float64) float64 {
	most := 0.0
	h.loads.known(func(i int) bool { return h.load[i].has() }, func(i int) {
		c := h.load[i].course(false)
		by := explainedShare * rises(c) * count
		if h.loads.signal[i].Unit == vitals.Count { // connections
			l := vitals.FitLine(c.times[:c.n], c.values[:c.n])
			by = connectionPile * l.Slope
		}
		most = max(most, by*span.Seconds())
	})
	return most
}
