package rule

import (
	"fmt"

	"github.com/gocasebook/casebook/vitals"
)

// A reading is what a test of one signal saw in one sample. The test decides what have and need mean; it compares them.
type reading struct {
	state      truth // of the test with its floor and cap; unknown where a signal is absent
	enough     bool  // of the past, to judge
	have, need float64

	mean    float64     // Rise: of the time before; Periodic: between the spikes; Grown: of the first minutes
	line    vitals.Line // Trend
	slowest float64     // Trend: the confidence bound of the slope that is nearer to zero
	slope   slope       // Growth; of Grown what load explains
	limit   float64     // Periodic: a value above it is a spike
	others  int         // Periodic: spikes at other times
}

// minBaseline is how many samples a mean needs before a rise over it means anything.
const minBaseline = 5

// test compares the signal with the condition's test, floor and cap.
func (n *node) test(m moment) reading {
	switch {
	case n.cond.Every > 0:
		return n.onTime(m)
	case n.cond.Stuck != nil:
		return n.stuck(m)
	case n.cond.Polling != nil:
		return n.polling(m)
	}
	v, ok := m.sample.Get(n.id)
	if !ok && n.growing == nil && n.past == nil { // those remember the values that there were
		return reading{state: unknown}
	}
	r := n.measure(v, m)
	c := n.cond
	if !ok {
		v = r.level()
	}
	if r.state == yes && (c.Min != nil && v < *c.Min || c.Max != nil && v > *c.Max) {
		r.state = no
	}
	return r
}

// level is what a Growth or a Grown takes for the signal's value, where the sample has none.
func (r *reading) level() float64 {
	if r.mean > 0 {
		return r.have * r.slope.explains * r.mean
	}
	return r.slope.level
}

func (n *node) measure(v float64, m moment) reading {
	c := n.cond
	r := reading{state: no, enough: true, have: v}
	switch {
	case c.Trend != nil:
		return n.trend(m)
	case c.Periodic != nil:
		return n.periodic(v, m)
	case c.Growth != nil:
		return n.growth(v, m)
	case c.Grown != nil:
		return n.grown(v, m)
	case c.Bursts != nil:
		return n.bursts(v, m)
	case c.Rise != nil:
		var count int
		r.mean, count = m.history.Mean(n.id, m.since(c.over()))
		r.need, r.enough = r.mean*(1+*c.Rise/100), count >= minBaseline
	default:
		return n.compare(r, m)
	}
	if r.enough && v > r.need {
		n.explained(&r, m)
	}
	if r.enough && v > r.need {
		r.state = yes
	}
	return r
}

// explained raises the required rise by the rise of load.
func (n *node) explained(r *reading, m moment) {
	most := 1.0
	for _, id := range n.beyond {
		v, ok := m.sample.Get(id)
		if mean, count := m.history.Mean(id, m.since(n.cond.over())); ok && count >= minBaseline && mean > 0 {
			most = max(most, v/mean)
		}
	}
	r.need *= most
}

// report says why a condition was true: "gc_cpu was 31.0 %, above 15 % for 5s". The value is that of the test shown.
func (n *node) report(shown *node, s *vitals.Sample) string {
	text := ""
	if shown.signal.Name != "" {
		v, ok := s.Get(shown.id)
		if !ok { // of a growth that moves now and then
			v = shown.read.level()
		}
		text = fmt.Sprintf("%s was %s, ", shown.signal.Name, shown.signal.Unit.Format(v))
	}
	c := n.cond
	switch {
	case c.Recovered != nil:
		return text + "recovered: " + n.recoveredText(s.Time)
	case c.Every > 0:
		return "on schedule, " + c.everyWords()
	case c.Stuck != nil:
		return n.place.text()
	case c.Polling != nil:
		return n.asking.text()
	}
	text += n.verdict()
	if held := s.Time.Sub(n.since); held > 0 {
		text += " for " + short(tenths(held))
	}
	return text
}

// verdict says what a test of a signal found it to be.
func (n *node) verdict() string {
	c := n.cond
	switch {
	case c.Trend != nil:
		return n.trendText(&n.read)
	case c.Periodic != nil:
		return n.periodicText(&n.read)
	case c.Growth != nil:
		return n.growthText(&n.read)
	case c.Grown != nil:
		return n.grownText(&n.read)
	case c.Bursts != nil:
		return n.burstsText(&n.read)
	case c.Rise != nil:
		return fmt.Sprintf("more than %.0f %% over the mean of the %s before", *c.Rise, short(c.over()))
	}
	text := c.threshold(n.signal, n.other)
	if c.Of != "" {
		text += " (" + limit(n.signal.Unit, n.read.need) + ")"
	}
	return text
}
