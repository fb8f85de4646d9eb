package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Late tests whether requests take many times as long as they used to, at any number of requests a second.
//
//	{"signal": "http_latency_p50", "late": {"times": 3, "least": "100ms", "share": 0.2}}
//
// Of few requests a second neither the median nor the mean of a minute says much. Requests are counted instead. One is
// slow that takes Times as long as the median of the last hours, and Least. Time is cut into stretches of ten
// seconds, and the condition holds when in each of the last three to six that had requests a Share of them was slow,
// and when chance does not make as many slow ones of requests like those before: one in ten million, by Fisher's exact
// test. One long stop is in two stretches at most. At 100 requests a second 30 s decide, at one in five seconds a
// minute.
//
// A sample has no more of its requests than their number, median and 99th percentile. What these leave open is taken to
// the disadvantage of a trip: of those now only as many are slow as must be, of those before as many as a straight line
// between the two quantiles makes. Requests in progress may be among the slow ones for as long as they last, as event
// streams are, so they are left out.
type Late struct {
	// Times is how many times the median makes a request slow, above 1 and up to 100.
	Times float64 `json:"times"`
	// Least is the time below which none is slow.
	Least Duration `json:"least,omitempty"`
	// Share is the part of the requests that must be slow, above 0 and up to 0.5.
	Share float64 `json:"share"`
}

// late is a Late as a kind.
var late = kind{
	name: "late", class: tests,
	set:      func(c *Condition) bool { return c.Late != nil },
	validate: validateLate,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return fmt.Sprintf("%g times what was usual, and %s, for %s of the requests of each of three or more stretches of %s, "+
			"and not by chance", c.Late.Times, number.Setting(time.Duration(c.Late.Least)),
			vitals.Share.Format(c.Late.Share), number.Setting(lateStretch))
	},
	start:   started[lateness],
	keep:    kept[lateness],
	reset:   cleared[lateness],
	measure: (*node).late,
	level: func(n *node) (float64, bool) { // it remembers the requests that there were
		return n.state.(*lateness).median, n.read.enough
	},
	way: func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	saw: (*node).lateText,
}

const (
	lateStretch = 10 * time.Second
	lateLeast   = 3 // stretches
	lateMost    = 6
	lateChance  = 1e-7
	// Counts of times from half a millisecond on, each step half as long again, to eight minutes.
	lateShortest = 0.5e-3
	lateSteps    = 34
	lateWidth    = 1.5
	// latePast is how far back requests count at least; up to twice as far.
	latePast = time.Hour
)

// A lateness is what a node with a Late remembers.
type lateness struct {
	last    time.Time // of the last sample
	ends    time.Time // of the stretch that is filling
	open    stretch
	first   bool              // no sample of that has said what is in progress
	recent  [lateMost]stretch // those before it that had requests, the last one first
	n       int
	past    [2]counts // in this hour and in the one before, without the recent stretches
	turns   time.Time // when the hour ends
	median  float64   // of the past
	slow    float64   // the least time of a slow request
	chance  float64   // of as many slow requests, when a stretch last ended
	number  float64   // of slow requests in the stretches that were late
	all     float64   // of requests there
	earlier float64   // requests before
}

// A stretch is the requests of ten seconds.
type stretch struct {
	all     float64
	slow    float64 // once it has ended
	counts  counts
	late    float64 // requests at or above the median of the samples in which that was slow
	samples float64 // how many samples these are
	tails   float64 // slow ones of the samples whose median was not
	lasting float64 // the least that were in progress
}

// end counts the slow requests: half of those of each sample whose median was slow, without what lasts, at least.
func (s *stretch) end() {
	s.slow = math.Max(s.late-s.lasting*s.samples/2, 0)
	if s.lasting == 0 {
		s.slow += s.tails
	}
}

// counts are numbers of requests by their time.
type counts [lateSteps]float32

func lateStep(seconds float64) int {
	if !(seconds > lateShortest) {
		return 0
	}
	return min(1+int(math.Log(seconds/lateShortest)/math.Log(lateWidth)), lateSteps-1)
}

// add counts requests of which the median and the 99th percentile are known: half of them at the median, the others
// evenly from there to the percentile, on a scale of logarithms.
func (c *counts) add(n, median, tail float64) {
	from, to := lateStep(median), lateStep(tail)
	c[from] += float32(n / 2)
	if to < from {
		to = from
	}
	for i := from; i <= to; i++ {
		c[i] += float32(n / 2 / float64(to-from+1))
	}
}

func (c *counts) plus(d *counts) {
	for i := range c {
		c[i] += d[i]
	}
}

// median is the upper end of the step with the median, 0 without requests.
func (c *counts) median() float64 {
	all := c.from(0)
	if all == 0 {
		return 0
	}
	below := 0.0
	for i, n := range c {
		if below += float64(n); below >= all/2 {
			return lateShortest * math.Pow(lateWidth, float64(i))
		}
	}
	return 0
}

// from is how many there are from a step on.
func (c *counts) from(step int) (n float64) {
	for _, x := range c[step:] {
		n += float64(x)
	}
	return n
}

// late reads a Late: have is the share of slow requests in the last stretches, need Share.
func (n *node) late(median float64, m moment) reading {
	s := n.state.(*lateness)
	seconds := m.sample.Time.Sub(s.last).Seconds()
	if s.last.IsZero() || seconds > replayGap.Seconds() {
		seconds = 0
	}
	s.last = m.sample.Time
	if s.ends.IsZero() {
		s.ends, s.turns, s.first = s.last.Add(lateStretch), s.last.Add(latePast), true
	}
	s.count(m.sample, median, seconds)
	if !s.last.Before(s.ends) {
		s.ends = s.last.Add(lateStretch)
		s.turn(n.cond)
		n.read = s.judge(n.cond)
	}
	if n.read.need == 0 {
		n.read = reading{state: no, need: n.cond.Late.Share}
	}
	return n.read
}

// count adds the requests of a sample.
func (s *lateness) count(sample *vitals.Sample, median, seconds float64) {
	if open, ok := sample.Get(vitals.HTTPInFlight); ok && (s.first || open < s.open.lasting) {
		s.open.lasting, s.first = open, false
	}
	rate, _ := sample.Get(vitals.HTTPRate)
	n := math.Round(rate * seconds)
	if !(n >= 1) || math.IsNaN(median) {
		return
	}
	tail, ok := sample.Get(vitals.HTTPLatencyP99)
	if !ok {
		tail = median
	}
	s.open.all += n
	s.open.counts.add(n, median, tail)
	switch {
	case s.slow == 0:
	case median >= s.slow:
		s.open.late, s.open.samples = s.open.late+math.Ceil(n/2), s.open.samples+1
	case tail >= s.slow:
		s.open.tails += math.Ceil(n / 100)
	}
}

// turn ends a stretch. The oldest of the recent ones becomes the past.
func (s *lateness) turn(c *Condition) {
	if s.last.After(s.turns) {
		s.past[1], s.past[0], s.turns = s.past[0], counts{}, s.last.Add(latePast)
	}
	if s.open.all > 0 {
		s.open.end()
		if s.n == lateMost {
			s.past[0].plus(&s.recent[lateMost-1].counts)
			s.n--
		}
		copy(s.recent[1:s.n+1], s.recent[:s.n])
		s.recent[0] = s.open
		s.n++
	}
	s.open, s.first = stretch{}, true
	usual := s.before(s.ill(c))
	if s.median = usual.median(); s.median > 0 {
		s.slow = math.Max(s.median*c.Late.Times, time.Duration(c.Late.Least).Seconds())
	}
}

// ill is how many of the last stretches had a share of slow requests.
func (s *lateness) ill(c *Condition) (n int) {
	for n < s.n && s.recent[n].slow >= c.Late.Share*s.recent[n].all {
		n++
	}
	return n
}

// before is the requests before some of the recent stretches.
func (s *lateness) before(ill int) (c counts) {
	c.plus(&s.past[0])
	c.plus(&s.past[1])
	for i := ill; i < s.n; i++ {
		c.plus(&s.recent[i].counts)
	}
	return c
}

func (s *lateness) judge(c *Condition) reading {
	ill := s.ill(c)
	usual := s.before(ill)
	s.number, s.all, s.earlier, s.chance = 0, 0, usual.from(0), 1
	for i := range ill {
		s.number, s.all = s.number+s.recent[i].slow, s.all+s.recent[i].all
	}
	r := reading{state: no, enough: s.earlier > 0, need: c.Late.Share}
	if s.all == 0 {
		return r
	}
	r.have = s.number / s.all
	if ill < lateLeast || !r.enough {
		return r
	}
	before := usual.from(lateStep(s.slow))
	if r.have < c.Late.Times*before/s.earlier { // many were as slow before
		return r
	}
	if s.chance = moreByChance(s.number, s.all, before, s.earlier); s.chance < lateChance {
		r.state = yes
	}
	return r
}

// moreByChance is Fisher's exact test: how likely as many or more of n are slow as were, if the slow ones of these and
// of the earlier ones had come in any order.
func moreByChance(slow, n, slowBefore, before float64) float64 {
	slow, n, slowBefore, before = math.Ceil(slow), math.Ceil(n), math.Ceil(slowBefore), math.Ceil(before)
	all := slow + slowBefore
	total := logChoose(n+before, all)
	p := 0.0
	for k := slow; k <= math.Min(n, all); k++ {
		if all-k > before {
			continue
		}
		term := math.Exp(logChoose(n, k) + logChoose(before, all-k) - total)
		if p += term; term < p*1e-9 {
			break
		}
	}
	return math.Min(p, 1)
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// lateText says what a Late saw: "57 of 120 requests took 300 ms or more, which 1 % of 5,230 did before".
func (n *node) lateText() string {
	s := n.state.(*lateness)
	switch {
	case s.slow == 0:
		return "no requests yet to compare with"
	case s.all == 0:
		return "few requests take " + vitals.Seconds.Format(s.slow) + " or more"
	}
	return fmt.Sprintf("%s of the last %s requests took %s or more, half of the %s before %s or less",
		number.Count(s.number), number.Count(s.all), vitals.Seconds.Format(s.slow),
		number.Count(math.Round(s.earlier)), vitals.Seconds.Format(s.median))
}

func validateLate(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
	path += ".late"
	multiple(c.Late.Times, path+".times", fault)
	if s := c.Late.Share; !(s > 0 && s <= 0.5) {
		fault(path+".share", "wants a share above 0 and up to 0.5, not %g", s)
	}
	if l := time.Duration(c.Late.Least); l < 0 || l > maxOver {
		fault(path+".least", "wants a time up to %s, not %s", number.Setting(maxOver), c.Late.Least)
	}
	if c.Signal != vitals.HTTPLatencyP50.String() {
		fault(path, "is for http_latency_p50, with http_latency_p99 and http_rate beside it")
	}
}
