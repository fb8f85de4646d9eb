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
//	{"signal": "http_latency_p50", "late": {"times": 3, "least": "100ms"}}
//
// Of few requests a second neither the median of a second nor the mean of a minute says much: they are counted instead.
// A sample is slow if its median is Times that of the last hours, and Least. Time is cut into stretches of ten seconds
// (longer ones where there are no requests), and the condition holds when
//
//   - in each of the last three to six stretches a third of the samples were slow: one stop is in two at most;
//   - slow requests come Times as often as before: those that always were slow may be left alone at night;
//   - chance makes as many slow samples once in a million times, if each request that came in addition to the usual
//     number is slow, and the others are as before: slow pages that somebody opens beside health checks are no illness.
//
// A sample has no more of its requests than their number, median and 99th percentile. What these leave open is taken to
// the disadvantage of a trip. Event streams may be among the times for as long as they last, so that a median longer
// than a stretch says nothing.
type Late struct {
	// Times is how many times the median makes a request slow, above 1 and up to 100.
	Times float64 `json:"times"`
	// Least is the time below which none is slow.
	Least Duration `json:"least,omitempty"`
}

// late is a Late as a kind.
var late = kind{
	name: "late", class: tests,
	set:      func(c *Condition) bool { return c.Late != nil },
	validate: validateLate,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return fmt.Sprintf("%g times what was usual, and %s, in a third of the samples of each of three stretches of %s "+
			"or more, and neither by chance nor by requests that came in addition", c.Late.Times,
			number.Setting(time.Duration(c.Late.Least)), number.Setting(lateStretch))
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
	lateChance  = 1e-6
	lateSamples = 16 // of a stretch, that are looked at
	// Requests are counted by their time from half a millisecond on, each step half as long again, to eight minutes.
	lateShortest = 0.5e-3
	lateSteps    = 34
	lateWidth    = 1.5
	latePast     = time.Hour // how far back they count at least; up to twice as far
)

// A lateness is what a node with a Late remembers.
type lateness struct {
	last   time.Time // of the last sample
	ends   time.Time // of the stretch that is filling
	open   stretch
	recent [lateMost]stretch // those before it, the last one first
	n      int
	past   [2]requests // of this hour and of the one before, without the recent stretches
	turns  time.Time   // when the hour ends
	median float64     // before the stretches that were late, when a stretch last ended
	slow   float64     // the least time of a slow request
	late   float64     // slow samples, in these stretches
	all    float64     // samples with requests there
}

// A stretch is the requests of ten seconds or more.
type stretch struct {
	requests
	samples int                  // with requests
	numbers [lateSamples]float64 // of their requests
	slow    int                  // of the samples
}

// requests are those of some seconds by their time.
type requests struct {
	seconds float64
	counts  [lateSteps]float32
}

func lateStep(seconds float64) int {
	if !(seconds > lateShortest) {
		return 0
	}
	return min(1+int(math.Log(seconds/lateShortest)/math.Log(lateWidth)), lateSteps-1)
}

// add counts requests of which the median and the 99th percentile are known: half of them at the median, the others
// evenly from there to the percentile, on a scale of logarithms.
func (q *requests) add(n, median, tail float64) {
	from := lateStep(median)
	to := max(lateStep(tail), from)
	q.counts[from] += float32(n / 2)
	for i := from; i <= to; i++ {
		q.counts[i] += float32(n / 2 / float64(to-from+1))
	}
}

func (q *requests) plus(more *requests) {
	q.seconds += more.seconds
	for i := range q.counts {
		q.counts[i] += more.counts[i]
	}
}

// from is how many there are from a step on.
func (q *requests) from(step int) (n float64) {
	for _, x := range q.counts[step:] {
		n += float64(x)
	}
	return n
}

// median is the upper end of the step with the median, 0 without requests.
func (q *requests) median() float64 {
	half, below := q.from(0)/2, 0.0
	for i, n := range q.counts {
		if below += float64(n); half > 0 && below >= half {
			return lateShortest * math.Pow(lateWidth, float64(i))
		}
	}
	return 0
}

// late reads a Late: have is how many stretches in a row were late, need how many it takes.
func (n *node) late(median float64, m moment) reading {
	s := n.state.(*lateness)
	seconds := m.sample.Time.Sub(s.last).Seconds()
	if seconds > replayGap.Seconds() { // also of the first sample
		seconds = 0
		s.ends, s.turns = m.sample.Time.Add(lateStretch), m.sample.Time.Add(latePast)
	}
	s.last = m.sample.Time
	s.count(m.sample, median, seconds)
	if n.read.need == 0 {
		n.read = reading{state: no, need: lateLeast}
	}
	if !s.last.Before(s.ends) {
		s.ends = s.last.Add(lateStretch)
		if s.open.samples > 0 {
			s.turn()
			n.read = s.judge(n.cond.Late)
		}
	}
	return n.read
}

// count adds the requests of a sample.
func (s *lateness) count(sample *vitals.Sample, median, seconds float64) {
	s.open.seconds += seconds
	rate, _ := sample.Get(vitals.HTTPRate)
	n := math.Round(rate * seconds)
	if !(n >= 1 && median <= lateStretch.Seconds()) || s.open.samples == lateSamples {
		return
	}
	tail, ok := sample.Get(vitals.HTTPLatencyP99)
	if !ok {
		tail = median
	}
	s.open.add(n, median, tail)
	s.open.numbers[s.open.samples] = n
	s.open.samples++
	if s.slow > 0 && median >= s.slow {
		s.open.slow++
	}
}

// turn ends a stretch. The oldest of the recent ones becomes the past.
func (s *lateness) turn() {
	if s.last.After(s.turns) {
		s.past[1], s.past[0], s.turns = s.past[0], requests{}, s.last.Add(latePast)
	}
	if s.n == lateMost {
		s.n--
		s.past[0].plus(&s.recent[s.n].requests)
	}
	copy(s.recent[1:s.n+1], s.recent[:s.n])
	s.recent[0], s.open = s.open, stretch{}
	s.n++
}

// judge looks at the last stretches that were late, and at the requests before them.
func (s *lateness) judge(l *Late) reading {
	ill := 0
	for ill < s.n && 3*s.recent[ill].slow > s.recent[ill].samples {
		ill++
	}
	usual := s.past[0]
	usual.plus(&s.past[1])
	for i := ill; i < s.n; i++ {
		usual.plus(&s.recent[i].requests)
	}
	r := reading{state: no, enough: usual.from(0) > 0, have: float64(ill), need: lateLeast}
	if r.enough && ill >= lateLeast && s.more(l, &usual, s.recent[:ill]) {
		r.state = yes
	}
	if s.median = usual.median(); s.median > 0 {
		s.slow = math.Max(s.median*l.Times, time.Duration(l.Least).Seconds())
	}
	return r
}

// more reports whether more was slow in the stretches than before, and more than chance and additional requests make.
func (s *lateness) more(l *Late, usual *requests, ill []stretch) bool {
	var now requests
	s.late, s.all = 0, 0
	for i := range ill {
		now.plus(&ill[i].requests)
		s.late, s.all = s.late+float64(ill[i].slow), s.all+float64(ill[i].samples)
	}
	rate := func(q *requests, step int) float64 { return q.from(step) / math.Max(q.seconds, 1) }
	step := lateStep(s.slow)
	if rate(&now, step) < l.Times*rate(usual, step) {
		return false
	}
	before := (usual.from(step) + 1) / (usual.from(0) + 1)
	added := math.Max(1-rate(usual, 0)/rate(&now, 0), 0)
	each, chance := added+(1-added)*before, 0.0
	for i := range ill {
		for _, n := range ill[i].numbers[:ill[i].samples] {
			chance += atLeast(math.Ceil(n/2), n, each) / s.all
		}
	}
	return atLeast(s.late, s.all, chance) < lateChance
}

// atLeast is how likely k or more of n come true, each with the same chance.
func atLeast(k, n, chance float64) float64 {
	if chance >= 1 || k <= 0 {
		return 1
	}
	p := 0.0
	for ; k <= n; k++ {
		p += math.Exp(logChoose(n, k) + k*math.Log(chance) + (n-k)*math.Log(1-chance))
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

// lateText says what a Late saw.
func (n *node) lateText() string {
	s := n.state.(*lateness)
	switch {
	case s.slow == 0:
		return "no requests yet to compare with"
	case n.read.have < lateLeast:
		return "it takes " + vitals.Seconds.Format(s.slow) + " or more, again and again"
	}
	return fmt.Sprintf("%s or more in %s of the last %s samples with requests, and half of those before took %s or "+
		"less",
		vitals.Seconds.Format(s.slow), number.Count(s.late), number.Count(s.all), vitals.Seconds.Format(s.median))
}

func validateLate(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
	path += ".late"
	multiple(c.Late.Times, path+".times", fault)
	if l := time.Duration(c.Late.Least); l < 0 || l > lateStretch {
		fault(path+".least", "wants a time up to %s, not %s", number.Setting(lateStretch), c.Late.Least)
	}
	if c.Signal != vitals.HTTPLatencyP50.String() {
		fault(path, "is for http_latency_p50, with http_latency_p99 and http_rate beside it")
	}
}
