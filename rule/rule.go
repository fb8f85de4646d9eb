// Package rule decides when a signal misbehaves and which evidence to capture.
//
// A rule is data: a condition over signals, held for a time, and the kinds of evidence to capture. The engine is a pure
// function of samples and their times, so that a rule can be replayed on recorded vitals before it is enabled. It knows
// nothing about targets or captures. For every rule it can say why it did not fire.
//
// Limits: rules see numbers, and from stacks only how many goroutines wait at which place (Stuck). The detectors of
// package diagnose find out which of them matter, and what they really wait for.
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

	// Capture lists kinds of evidence (casefile.CPU …). Empty means DefaultCapture. What explains any trip is taken
	// too; see Captures.
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

// Defaults of a rule's zero fields.
const (
	DefaultCooldown = 5 * time.Minute
	DefaultWarmup   = 10 * time.Second // a process that has just started is not yet typical
	DefaultOver     = time.Minute
	// DefaultPerHour is four: the first case of an incident says what is wrong, and three more, at the default
	// cool-down within 20 minutes, show whether that changes. With one every five minutes a day-long incident would
	// push everything else out of a directory's 200 cases; with four an hour it fills half of it.
	DefaultPerHour = 4
)

// DefaultCapture is the evidence a rule takes if it names none: everything that a process gives cheaply without
// preparation, in the order in which it is taken. Mutex and block profiles are usually switched off, and then cost
// nothing. The memory is read before the heap: for a heap profile a collection may be run, which frees what the table
// of the memory explains. The budget rejects evidence that is expensive in a large process, such as the goroutine dump.
func DefaultCapture() []string {
	return []string{
		casefile.Goroutine, casefile.GoroutineDump, casefile.Metrics, casefile.Runtime, casefile.Heap,
		casefile.ThreadCreate, casefile.GoroutineLeak, casefile.CPU, casefile.Mutex, casefile.Block,
	}
}

// captureKinds are the kinds a rule may name.
var captureKinds = [...]string{
	casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex, casefile.Block,
	casefile.ThreadCreate,
	casefile.GoroutineLeak, casefile.GoroutineDump, casefile.Trace, casefile.Metrics, casefile.Runtime,
	casefile.Prometheus,
}

func knownCapture(kind string) bool { return slices.Contains(captureKinds[:], kind) }

// explaining is the evidence without which a trip may stay a number: where goroutines stand, what holds the heap, what
// takes the CPU.
var explaining = [...]string{casefile.Goroutine, casefile.Heap, casefile.CPU}

// Captures is what the rule captures: what it lists, and what explains a trip, whatever its signal. A rule that lists
// nothing takes the default. A mere schedule takes what it lists: nothing tripped.
func (r *Rule) Captures() []string {
	if len(r.Capture) == 0 {
		return DefaultCapture()
	}
	kinds := slices.Clone(r.Capture)
	if r.When.Every != 0 {
		return kinds
	}
	for _, kind := range explaining {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Lists reports whether the rule itself asks for a kind of evidence, by its list or by having none.
func (r *Rule) Lists(kind string) bool {
	if len(r.Capture) == 0 {
		return slices.Contains(DefaultCapture(), kind)
	}
	return slices.Contains(r.Capture, kind)
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
