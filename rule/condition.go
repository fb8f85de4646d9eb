package rule

import (
	"slices"
	"time"
)

// kinds are all kinds of conditions, in the order in which messages name them. A new one is listed here and has a field
// in Condition; everything else is in its own file.
var kinds = [...]*kind{
	&allOf, &anyOf, &recovery,
	&every, &stuck, &polling,
	&above, &below, &rise, &trend, &periodic, &growth, &grown, &bursts, &late,
}

// A Condition is one of these: a test of one signal; a schedule (Every); goroutines that wait (Stuck) or should
// (Polling); All or Any of other conditions; the recovery from another one.
//
// A signal that is absent in a sample neither confirms nor breaks the condition: what was true stays true until a
// sample says otherwise. gc_cpu needs this, because it moves only when a GC cycle ends.
type Condition struct {
	Signal string `json:"signal,omitempty"`

	// Exactly one of these tests the signal, in the signal's own unit (shares are 0–1).
	Above *float64 `json:"above,omitempty"`
	Below *float64 `json:"below,omitempty"`
	// Of makes Above and Below a multiple of another signal's value in the same sample, which must have the same unit
	// or be a count or cores: {"signal": "go_memory", "above": 0.95, "of": "go_memory_limit"}.
	Of string `json:"of,omitempty"`
	// Rise is in percent over the mean of the Over before the sample: 100 means twice the mean.
	Rise *float64 `json:"rise,omitempty"`
	// Beyond names signals of load: if they are above their own means of that time, the signal must rise by Rise
	// percent more than they did. Absent ones explain nothing.
	Beyond []string `json:"beyond,omitempty"`
	// Mean makes Above, Below and Rise judge the signal's mean of that time up to the sample, not the sample's value: a
	// process whose requests come at random moments uses 75 % of its CPU in the mean, and not in each second.
	Mean Duration `json:"mean,omitempty"`
	// Trend is true when the signal is certain to reach a limit in time, Periodic when it spikes at the same phase of
	// every period.
	Trend    *Trend    `json:"trend,omitempty"`
	Periodic *Periodic `json:"periodic,omitempty"`
	// Growth is true when the signal's baseline is certain to become a multiple of itself, Grown when it is many times
	// what it was in the first minutes.
	Growth *Growth `json:"growth,omitempty"`
	Grown  *Grown  `json:"grown,omitempty"`
	// Bursts is true before the next of some bursts that return at an even pace and make the process late.
	Bursts *Bursts `json:"bursts,omitempty"`
	// Late is true when many requests take many times as long as they used to, however few there are.
	Late *Late `json:"late,omitempty"`

	// Every is a schedule, and an edge: true in the first sample at or after each whole multiple of the period, counted
	// from the Unix epoch in UTC ("1h" is at each full hour), from 1m to 168h. A multiple that passes while nothing is
	// watched is skipped. Together with other conditions in All it requires the others at that moment.
	Every Duration `json:"every,omitempty"`
	// Stuck is true while goroutines wait at one place for too long.
	Stuck *Stuck `json:"stuck,omitempty"`
	// Polling is true while a goroutine keeps polling and never waits.
	Polling *Polling `json:"polling,omitempty"`

	// Over is the window of Rise's mean. Zero means DefaultOver.
	Over Duration `json:"over,omitempty"`

	// Min is a floor: below it the condition is false, whatever else holds ("twice as many goroutines" means
	// nothing at 12). Max is a safety cap: above it a capture would do more harm than good.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`

	// For is how long the condition must have held without a break.
	For Duration `json:"for,omitempty"`

	All []Condition `json:"all,omitempty"`
	Any []Condition `json:"any,omitempty"`

	// Recovered is an edge: true in one sample, the first in which a condition that held (for its own For) has not
	// held for the For next to Recovered. A rule that is cooling down or warming up in that sample misses it, so
	// make it a separate rule.
	Recovered *Condition `json:"recovered,omitempty"`
}

// kind is what a valid condition is. One without a test counts as below nothing; Validate refuses it.
func (c *Condition) kind() *kind {
	for _, k := range kinds {
		if k.set(c) {
			return k
		}
	}
	return &below
}

// has names the kinds of a class that a condition has the fields of: one at most, if it is valid.
func (c *Condition) has(of class) (names []string) {
	for _, k := range kinds {
		if k.class == of && k.set(c) {
			names = append(names, k.name)
		}
	}
	return names
}

// parts are the conditions that this one is made of.
func (c *Condition) parts() (parts []part) {
	for _, k := range kinds {
		if k.parts != nil {
			parts = append(parts, k.parts(c)...)
		}
	}
	return parts
}

// edged reports whether a condition is true in single samples only, so that it cannot be held and does not end.
func (c *Condition) edged() bool {
	edged := slices.ContainsFunc(kinds[:], func(k *kind) bool { return k.edge && k.set(c) })
	return edged || slices.ContainsFunc(c.parts(), func(p part) bool { return p.cond.edged() })
}

// needsCensus reports whether a condition looks at stacks.
func (c *Condition) needsCensus() bool {
	needs := slices.ContainsFunc(kinds[:], func(k *kind) bool { return k.census != nil && k.set(c) })
	return needs || slices.ContainsFunc(c.parts(), func(p part) bool { return p.cond.needsCensus() })
}

// lookback is how much of the past a condition looks at.
func (c *Condition) lookback() time.Duration {
	longest := time.Duration(c.Mean)
	if k := c.kind(); k.lookback != nil {
		longest = max(longest, k.lookback(c))
	}
	for _, p := range c.parts() {
		longest = max(longest, p.cond.lookback())
	}
	return longest
}

// limitSignal names the signal that has the test's limit; "" when that is a number.
func (c *Condition) limitSignal() string {
	if k := c.kind(); k.limit != nil {
		return k.limit(c)
	}
	return ""
}

// Signals lists the signals that the condition needs, each once.
func (c *Condition) Signals() []string {
	var names []string
	add := func(more ...string) {
		for _, name := range more {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(c.Signal, c.Of, c.limitSignal())
	for _, p := range c.parts() {
		add(p.cond.Signals()...)
	}
	return names
}

// allNames are the names of the kinds of a class.
func allNames(of class) (names []string) {
	for _, k := range kinds {
		if k.class == of {
			names = append(names, k.name)
		}
	}
	return names
}
