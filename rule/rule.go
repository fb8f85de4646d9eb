// Package rule decides when a signal misbehaves and which evidence to capture.
//
// A rule is data: a condition over signals, held for a time, and the kinds of evidence to capture. The engine is a pure
// function of samples and their times, so that a rule can be replayed on recorded vitals before it is enabled. It knows
// nothing about targets or captures. For every rule it can say why it did not fire.
//
// Limits: rules see numbers, and of stacks only how many goroutines wait at which place (Stuck). The detectors of
// package diagnose find out which of them matter, and what they wait for in the end.
package rule

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Rule says when to open a case and what to put into it.
type Rule struct {
	Name string    `json:"name"` // lower-case letters, digits and dashes; part of the case's ID
	Text string    `json:"text,omitempty"`
	When Condition `json:"when"`

	// Capture lists kinds of evidence (casefile.CPU …). Empty means DefaultCapture.
	Capture []string `json:"capture,omitempty"`
	// Cooldown is how long the rule stays quiet after it fired. Zero means DefaultCooldown; for a schedule, none.
	Cooldown Duration `json:"cooldown,omitempty"`
	// Once restarts the cool-down with every sample in which the condition holds: a level that stays high, or swings
	// around its limit, opens one case and not one per cool-down.
	Once bool `json:"once,omitempty"`
	// PerHour is how often the rule may fire in any 60 minutes. Zero means DefaultPerHour. There is no limit for a
	// schedule, or if it is negative.
	PerHour int `json:"per_hour,omitempty"`
	// Warmup is how long the target must have been watched before the rule may fire. Zero means DefaultWarmup, for a
	// schedule none; a negative value means none.
	Warmup Duration `json:"warmup,omitempty"`
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
	// Of makes Above and Below a multiple of another signal's value in the same sample, which must have the same unit or
	// be a count or cores: {"signal": "go_memory", "above": 0.95, "of": "go_memory_limit"}.
	Of string `json:"of,omitempty"`
	// Rise is in percent over the mean of the Over before the sample: 100 means twice the mean.
	Rise *float64 `json:"rise,omitempty"`
	// Beyond names signals of load: if they are above their own means of that time, the signal must rise by Rise
	// percent more than they did. Absent ones explain nothing.
	Beyond []string `json:"beyond,omitempty"`
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

// Defaults of a rule's zero fields.
const (
	DefaultCooldown = 5 * time.Minute
	DefaultWarmup   = 10 * time.Second // a process that has just started is not yet typical
	DefaultOver     = time.Minute
	// DefaultPerHour is four: the first case of an incident says what is wrong, and three more, at the default cool-down
	// within 20 minutes, show whether that changes. With one every five minutes a day-long incident would push
	// everything else out of a directory's 200 cases; with four an hour it fills half of it.
	DefaultPerHour = 4
)

// DefaultCapture is the evidence a rule takes if it names none: everything that a process gives cheaply without
// preparation, in the order in which it is taken. Mutex and block profiles are usually switched off, and then cost
// nothing. The budget rejects evidence that is expensive in a large process, such as the goroutine dump.
func DefaultCapture() []string {
	return []string{
		casefile.Goroutine, casefile.GoroutineDump, casefile.Metrics, casefile.Heap, casefile.ThreadCreate, casefile.Runtime,
		casefile.GoroutineLeak, casefile.CPU, casefile.Mutex, casefile.Block,
	}
}

// captureKinds are the kinds a rule may name.
var captureKinds = [...]string{
	casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex, casefile.Block, casefile.ThreadCreate,
	casefile.GoroutineLeak, casefile.GoroutineDump, casefile.Trace, casefile.Metrics, casefile.Runtime, casefile.Prometheus,
}

func knownCapture(kind string) bool { return slices.Contains(captureKinds[:], kind) }

func (c *Condition) over() time.Duration { return orDefault(c.Over, DefaultOver) }

// Captures is what the rule captures, with the default filled in.
func (r *Rule) Captures() []string {
	if len(r.Capture) == 0 {
		return DefaultCapture()
	}
	return r.Capture
}

func orDefault(d Duration, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return time.Duration(d)
}

// Lookback is how much of the past the rules look at: with a shorter history some of them cannot be judged.
func Lookback(rules []Rule) time.Duration {
	longest := time.Duration(0)
	for i := range rules {
		longest = max(longest, rules[i].When.lookback())
	}
	return longest
}

func (c *Condition) lookback() time.Duration {
	switch {
	case c.Rise != nil:
		return c.over()
	case c.Trend != nil:
		return c.Trend.over()
	case c.Periodic != nil:
		return c.Periodic.period() * time.Duration(c.Periodic.times())
	case c.Recovered != nil:
		return c.Recovered.lookback()
	}
	longest := time.Duration(0)
	for i := range c.All {
		longest = max(longest, c.All[i].lookback())
	}
	for i := range c.Any {
		longest = max(longest, c.Any[i].lookback())
	}
	return longest
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
	add(c.Signal, c.Of)
	if c.Trend != nil && c.Trend.Reach != nil {
		add(c.Trend.Reach.Signal)
	}
	if c.Growth != nil && c.Growth.Reach != nil {
		add(c.Growth.Reach.Signal)
	}
	if c.Bursts != nil {
		add(c.Bursts.Of)
	}
	for i := range c.All {
		add(c.All[i].Signals()...)
	}
	for i := range c.Any {
		add(c.Any[i].Signals()...)
	}
	if c.Recovered != nil {
		add(c.Recovered.Signals()...)
	}
	return names
}
