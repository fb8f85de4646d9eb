package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Periodic tests whether a signal spikes at the same phase of every period, for example at the same second of each
// minute, because of a cron job or a ticker.
//
//	{"signal": "cpu", "periodic": {"period": "1m", "times": 3, "rise": 100}}
//
// A spike is a run of values more than Rise percent above the mean between the spikes, at or above the condition's Min
// if there is one, and at least a third as high as the current value. That mean is taken over Times periods, without
// the current sample: first over all values, then again over those that are not spikes by the first mean. The condition
// is true while a spike lasts, if one began at the same phase, give or take a sample, of each of the last Times − 1
// periods. It is false if the spike has lasted half a period, or if spikes also come at other times: half as many as
// Times, not counting those within a tenth of a period, make it noise. A period must hold ten samples. No signal of
// Beyond may be half as high again in the spikes as between them: then load comes in spikes.
type Periodic struct {
	// Period is the time from spike to spike, up to 24h. Zero means DefaultPeriod.
	Period Duration `json:"period,omitempty"`
	// Times is how many spikes in a row it takes, from 3 to 60. Zero means DefaultTimes.
	Times int `json:"times,omitempty"`
	// Rise is in percent over the mean between the spikes: 100 means twice that mean.
	Rise float64 `json:"rise"`
	// Beyond names the signals of load. Those that are absent explain nothing.
	Beyond []string `json:"beyond,omitempty"`
}

// periodic is a Periodic as a kind.
var periodic = kind{
	name: "periodic", class: tests,
	set:      func(c *Condition) bool { return c.Periodic != nil },
	validate: validatePeriodic,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return c.Periodic.words()
	},
	lookback: func(c *Condition) time.Duration { return c.Periodic.period() * time.Duration(c.Periodic.times()) },
	start: func(n *node, catalog *vitals.Catalog) any {
		for _, name := range n.cond.Periodic.Beyond {
			id, _ := find(name, catalog)
			n.beyond = append(n.beyond, id)
		}
		return &spiking{}
	},
	keep:    kept[spiking],
	reset:   cleared[spiking],
	measure: (*node).periodic,
	way: func(n *node, _ float64) float64 {
		if r := &n.read; r.have > 0 && r.have >= r.need-1 { // one spike more
			return warnAt
		}
		return 0
	},
	saw: (*node).periodicText,
	gap: func(n *node, _, _ float64) float64 { return n.read.need - n.read.have },
}

const (
	DefaultPeriod = time.Minute
	DefaultTimes  = 3

	minTimes     = 3 // two spikes a period apart are a coincidence
	maxTimes     = 60
	maxPeriod    = 24 * time.Hour
	minPerPeriod = 10 // samples: with fewer, "the same phase" is a large share of the period
)

func (p *Periodic) period() time.Duration { return orDefault(p.Period, DefaultPeriod) }

func (p *Periodic) times() int {
	if p.Times == 0 {
		return DefaultTimes
	}
	return p.Times
}

// A spiking is what a node with a Periodic saw last.
type spiking struct {
	others int  // spikes at other times
	load   bool // a signal of load has spikes, too
}

// periodic reads a Periodic: have is how many spikes in a row end with this sample, need how many it takes; mean is
// that between the spikes, limit the value above which one begins.
func (n *node) periodic(v float64, m moment) reading {
	p, seen := n.cond.Periodic, n.state.(*spiking)
	*seen = spiking{}
	period, times := p.period(), p.times()
	r := reading{state: no, need: float64(times)}
	between, enough := n.between(m, period, times)
	if r.enough = enough; !enough {
		return r
	}
	r.mean, r.limit = between.mean, between.above
	if v <= between.above {
		return r
	}
	// What is less than a third as high as this one is no spike beside it: noise comes at any time.
	between.above = math.Max(between.above, v/3)
	t := tally{period: period, last: times - 1, slack: between.spacing * 3 / 2}
	began := n.spikes(m, between.above, &t)
	r.have, seen.others = float64(1+t.inARow()), t.others
	if began && t.inARow() == t.last && 2*t.others < times {
		if seen.load = n.loadSpikes(m, between.above); !seen.load {
			r.state = yes
		}
	}
	return r
}

// loadSpikes reports whether a signal of load is high while the signal is above a value, in the periods looked at.
func (n *node) loadSpikes(m moment, above float64) bool {
	p := n.cond.Periodic
	since := m.since(p.period() * time.Duration(p.times()))
	for _, id := range n.beyond {
		var in, between, ins, betweens float64
		for i := m.history.Len() - 1; i >= 0; i-- {
			if m.history.Time(i).Before(since) {
				break
			}
			v, ok := m.history.Get(i, n.id)
			load, has := m.history.Get(i, id)
			switch {
			case !ok || !has:
			case v > above:
				in, ins = in+load, ins+1
			default:
				between, betweens = between+load, betweens+1
			}
		}
		if ins > 0 && in/ins > burstLoad*between/math.Max(betweens, 1) {
			return true
		}
	}
	return false
}

// quiet describes a signal between its spikes.
type quiet struct {
	mean    float64
	above   float64       // a value above it is a spike
	spacing time.Duration // from sample to sample
}

// between looks at Times periods; enough says that they hold the last Times − 1 at least.
func (n *node) between(m moment, period time.Duration, times int) (q quiet, enough bool) {
	now, since := m.sample.Time, m.since(period*time.Duration(times))
	all, _ := m.history.Mean(n.id, since)
	q.above = n.spikeAbove(all)
	var sum float64
	var count, few int
	oldest := now
	for i := m.history.Len() - 1; i >= 0; i-- {
		t := m.history.Time(i)
		if t.Before(since) {
			break
		}
		v, ok := m.history.Get(i, n.id)
		if !ok {
			continue
		}
		count++
		oldest = t
		if v <= q.above {
			sum += v
			few++
		}
	}
	if few == 0 {
		return q, false
	}
	q.mean = sum / float64(few)
	q.above = n.spikeAbove(q.mean)
	q.spacing = now.Sub(oldest) / time.Duration(count)
	return q, now.Sub(oldest) > period*time.Duration(times-1) && period >= minPerPeriod*q.spacing
}

func (n *node) spikeAbove(mean float64) float64 {
	above := mean * (1 + n.cond.Periodic.Rise/100)
	if n.cond.Min != nil { // Min itself is enough
		above = math.Max(above, math.Nextafter(*n.cond.Min, math.Inf(-1)))
	}
	return above
}

// spikes tallies when the spikes began, from now back. It reports whether the one that lasts now has a beginning.
func (n *node) spikes(m moment, above float64, t *tally) bool {
	since := m.since(t.period * time.Duration(t.last+1))
	spiking, at := true, m.sample.Time // at is the sample after the one looked at
	for i := m.history.Len() - 1; i >= 0; i-- {
		began := m.history.Time(i)
		if began.Before(since) {
			break
		}
		v, ok := m.history.Get(i, n.id)
		if !ok {
			continue
		}
		if spiking && v <= above && !t.add(m.sample.Time, at) {
			return false
		}
		spiking, at = v > above, began
	}
	return !t.began.IsZero()
}

// A tally counts beginnings of spikes by their phase against the newest.
type tally struct {
	period time.Duration
	last   int           // periods to look back
	slack  time.Duration // around the phase

	began  time.Time // of the newest spike
	seen   uint64    // bit k: a spike began k periods before
	others int       // spikes at other phases
}

// add takes the beginning of a spike, newest first. It reports false if the newest is not a spike but a new level.
func (t *tally) add(now, at time.Time) bool {
	if t.began.IsZero() {
		t.began = at
		return now.Sub(at) < t.period/2
	}
	before := t.began.Sub(at)
	k := (before + t.period/2) / t.period // the nearest whole number of periods
	off := (before - k*t.period).Abs()
	switch {
	case int(k) > t.last:
	case off <= t.slack:
		t.seen |= 1 << k
	case off > t.period/10:
		t.others++
	}
	return true
}

// inARow is how many of the periods before the newest spike have one, without a gap.
func (t *tally) inARow() int {
	k := 0
	for k < t.last && t.seen&(1<<(k+1)) != 0 {
		k++
	}
	return k
}

// periodicText says what a Periodic found.
func (n *node) periodicText() string {
	p, r := n.cond.Periodic, &n.read
	unit := n.signal().Unit
	switch {
	case !r.enough:
		return fmt.Sprintf("needs values over %s, %d per period", number.Setting(time.Duration(p.times()-1)*p.period()),
			minPerPeriod)
	case r.have == 0:
		return fmt.Sprintf("no spike, which begins above %s", unit.Format(r.limit))
	}
	text := fmt.Sprintf("a spike over the mean of %s, %.0f in a row every %s", unit.Format(r.mean), r.have,
		number.Setting(p.period()))
	if others := n.state.(*spiking).others; others > 0 {
		text += fmt.Sprintf(" and %d at other times", others)
	}
	if n.state.(*spiking).load {
		text += "; " + or(p.Beyond) + " has them, too"
	}
	return text
}

// words are the test for a person.
func (p *Periodic) words() string {
	text := fmt.Sprintf("spiking every %s, %d times in a row, by more than %g %% over the mean between",
		number.Setting(p.period()), p.times(), p.Rise)
	if len(p.Beyond) > 0 {
		text += ", while " + or(p.Beyond) + " does not"
	}
	return text
}

func validatePeriodic(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	p := c.Periodic
	path += ".periodic"
	if p.Period < 0 || time.Duration(p.Period) > maxPeriod {
		fault(path+".period", "wants a period up to %s, not %s", number.Setting(maxPeriod), p.Period)
	}
	if p.Times != 0 && (p.Times < minTimes || p.Times > maxTimes) {
		fault(path+".times", "wants %d to %d spikes in a row, not %d", minTimes, maxTimes, p.Times)
	}
	if finite(&p.Rise, path+".rise", fault) {
		percentage(p.Rise, path+".rise", fault)
	}
	validateBeyond(c, p.Beyond, path+".beyond", catalog, fault)
}
