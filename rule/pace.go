package rule

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A pause is why a rule does not fire although its condition is true.
type pause int

const (
	free pause = iota
	warmingUp
	coolingDown
	limited
)

// A pace is when a rule fired, and what keeps it from firing now.
type pace struct {
	fired []time.Time // the last ones, oldest first; at least one, and no more than PerHour needs
	held  time.Time   // of a rule with Once: when the condition was last seen to be true since it fired
	pause pause       // of the last sample; free while the condition is false
}

func (r *Rule) cooldown() time.Duration {
	if r.Cooldown == 0 && r.When.scheduled() {
		return 0
	}
	return orDefault(r.Cooldown, DefaultCooldown)
}

func (r *Rule) warmup() time.Duration {
	if r.Warmup == 0 && r.When.scheduled() {
		return 0
	}
	return orDefault(r.Warmup, DefaultWarmup)
}

// perHour is how many firings in 60 minutes are allowed; 0 means any number.
func (r *Rule) perHour() int {
	switch {
	case r.PerHour < 0, r.PerHour == 0 && r.When.scheduled():
		return 0
	}
	return cmp.Or(r.PerHour, DefaultPerHour)
}

// judge records for each sample whether the condition is true, and says whether the rule may fire.
func (p *pace) judge(r *Rule, holds bool, now, began time.Time) bool {
	p.pause = free
	if !holds {
		return false
	}
	p.pause = p.at(r, now, began)
	if r.Once && len(p.fired) > 0 {
		p.held = now
	}
	return p.pause == free
}

// at is the reason that keeps the rule from firing at a time.
func (p *pace) at(r *Rule, now, began time.Time) pause {
	switch {
	case now.Sub(began) < r.warmup():
		return warmingUp
	case now.Before(p.coolUntil(r)):
		return coolingDown
	case now.Before(p.hourUntil(r)):
		return limited
	}
	return free
}

// coolUntil is when the cool-down ends, zero if the rule never fired.
func (p *pace) coolUntil(r *Rule) time.Time {
	if len(p.fired) == 0 {
		return time.Time{}
	}
	last := p.fired[len(p.fired)-1]
	if r.Once && p.held.After(last) {
		last = p.held
	}
	return last.Add(r.cooldown())
}

// hourUntil is when there are fewer than PerHour firings in the 60 minutes before, zero if that is always so.
func (p *pace) hourUntil(r *Rule) time.Time {
	most := r.perHour()
	if most == 0 || len(p.fired) < most {
		return time.Time{}
	}
	return p.fired[len(p.fired)-most].Add(time.Hour)
}

func (p *pace) add(r *Rule, now time.Time) {
	p.fired = append(p.fired, now)
	if over := len(p.fired) - max(r.perHour(), 1); over > 0 {
		p.fired = slices.Delete(p.fired, 0, over)
	}
	p.held = time.Time{}
}

// text says what keeps the rule from firing.
func (p *pace) text(r *Rule, now time.Time) string {
	switch p.pause {
	case warmingUp:
		return "warming up"
	case coolingDown:
		if r.Once && !p.held.IsZero() {
			return fmt.Sprintf("it fired at %s and still holds; cooling down for %s from when it ends",
				clock(p.fired[len(p.fired)-1], now), number.Setting(r.cooldown()))
		}
		return "cooling down until " + clock(p.coolUntil(r), now)
	case limited:
		return fmt.Sprintf("%d firings in the last hour are the limit; next at %s", r.perHour(),
			clock(p.hourUntil(r), now))
	}
	return ""
}

// clock prints a time of now's day without the date.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// A State holds an engine's past firings. Without it cool-downs and limits per hour would start again with every
// restart, and a service that crashes in a loop would be captured in every round.
type State struct {
	Fired map[string][]time.Time `json:"fired,omitempty"` // by the rule's name: its last firings, oldest first
}

// State returns the state for Restore. What Restore loaded of rules that are not among the engine's is in it again.
func (e *Engine) State() State {
	s := State{Fired: make(map[string][]time.Time)}
	maps.Copy(s.Fired, e.others)
	for i := range e.rules {
		for _, t := range e.state[i].pace.fired {
			s.Fired[e.rules[i].Name] = append(s.Fired[e.rules[i].Name], t.Round(0).UTC()) // wall time only
		}
	}
	return s
}

// Follow has the engine go on where one with other rules was: the target has been watched since then, so that nothing
// warms up again and the past is a baseline, and the firings are as Restore takes them. For how long conditions have
// held begins again: they are other conditions.
func (e *Engine) Follow(old *Engine, now time.Time) {
	e.began = old.began
	e.Restore(old.State(), now)
}

// maxOthers bounds the rules whose firings are kept although they are gone.
const maxOthers = 256

// Restore loads the firings of an earlier engine. Those of rules that are not among the engine's are kept for the
// engine after it: a rule that is disabled for a moment does not forget its cool-down. Times that are zero or after now
// are ignored: they come from a file, and a clock may have been set.
func (e *Engine) Restore(s State, now time.Time) {
	own := func(name string) bool {
		return slices.ContainsFunc(e.rules, func(r Rule) bool { return r.Name == name })
	}
	for name, fired := range s.Fired {
		past := slices.DeleteFunc(slices.Clone(fired), func(t time.Time) bool {
			return t.After(now) || now.Sub(t) >= maxCooldown
		})
		if own(name) || len(past) == 0 || len(e.others) >= maxOthers {
			continue
		}
		if e.others == nil {
			e.others = make(map[string][]time.Time)
		}
		e.others[name] = past[max(0, len(past)-maxPerHour):]
	}
	for i := range e.rules {
		p := &e.state[i].pace
		all := slices.Clone(p.fired)
		for _, t := range s.Fired[e.rules[i].Name] {
			if !t.After(now) && now.Sub(t) < maxCooldown {
				all = append(all, t)
			}
		}
		slices.SortFunc(all, time.Time.Compare)
		all = slices.CompactFunc(all, time.Time.Equal)
		p.fired = slices.Clone(all[max(0, len(all)-max(e.rules[i].perHour(), 1)):])
	}
}

// Pace says in words when the rule is silent although its condition is true.
func (r *Rule) Pace() string {
	var parts []string
	add := func(part string) { parts = append(parts, part) }
	if d := r.cooldown(); d > 0 && r.Once {
		add("once, and not again until " + number.Setting(d) + " after it ended")
	} else if d > 0 {
		add("not for " + number.Setting(d) + " after it fired")
	}
	if n := r.perHour(); n > 0 && time.Duration(n)*r.cooldown() < time.Hour { // otherwise the cool-down allows fewer
		add(fmt.Sprintf("%d times an hour at most", n))
	}
	if w := r.warmup(); w > 0 {
		add("not in the first " + number.Setting(w) + " of watching")
	}
	return list(parts)
}

// list joins parts of a sentence: "a, b, and c".
func list(parts []string) string {
	switch len(parts) {
	case 0:
		return "at any time"
	case 1:
		return parts[0]
	case 2:
		return parts[0] + ", and " + parts[1]
	}
	return parts[0] + ", " + list(parts[1:])
}
