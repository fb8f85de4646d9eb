package holmes

import (
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/rule"
)

// rules turns the options into the rules of a watch.
func (o *options) rules(s scale) []rule.Rule {
	var rules []rule.Rule
	for k := range numKinds {
		if o.kinds[k].Enable && s.unit(k) > 0 {
			rules = append(rules, o.rule(k, s))
		}
	}
	if len(rules) == 0 {
		rules = append(rules, nothing())
	}
	return rules
}

// nothing is the rule of a Holmes that judges nothing: a watch without rules would take its own.
func nothing() rule.Rule {
	return rule.Rule{
		Name: "holmes-nothing", Text: "Nothing is enabled.",
		When: rule.Condition{Signal: goroutine.signal(), Above: number(1e15)},
	}
}

// captures are the kinds of evidence of each kind's case.
var captures = [numKinds][]string{
	mem:       {casefile.Heap},
	cpu:       {casefile.CPU},
	thread:    {casefile.ThreadCreate, casefile.Goroutine},
	goroutine: {casefile.Goroutine},
	gcHeap:    {casefile.Heap},
}

// rule is "at least min, and above abs or risen by diff percent over the mean of the ten intervals before", from the
// tenth interval on. The limit is a signal of the target and not package rule's Rise, whose baseline is a stretch of
// time: here it is ten values, whatever intervals they were collected at, as in holmes.
func (o *options) rule(k kind, s scale) rule.Rule {
	t := o.kinds[k]
	when := rule.Condition{Signal: k.signal(), Above: number(1), Of: k.limitSignal(),
		Min: number(float64(t.TriggerMin) * s.unit(k))}
	if k == goroutine && o.maxGoroutine > 0 {
		when.Max = number(float64(o.maxGoroutine) - 0.5) // from the maximum on, not above it
	}
	if o.cpuMax > 0 {
		calm := rule.Condition{Signal: cpu.signal(), Below: number(float64(o.cpuMax) * s.unit(cpu))}
		when = rule.Condition{All: []rule.Condition{when, calm}}
	}
	return rule.Rule{
		Name: kindTexts[k].rule, When: when, Capture: captures[k],
		Cooldown: rule.Duration(max(t.CoolDown, 1)), // 0 would be package rule's default
		Warmup:   -1,                                // before the tenth interval there is no limit
		PerHour:  -1,                                // holmes knows its cool-down only
	}
}

func number(v float64) *float64 { return &v }

// sampling is the interval at which the watch samples.
func (o *options) sampling() time.Duration { return sampling(o.interval) }

func sampling(interval time.Duration) time.Duration {
	return min(max(interval, settings.Interval.Least), settings.Interval.Most)
}
