package rule

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// An Engine evaluates rules sample by sample. It is not safe for concurrent use.
type Engine struct {
	rules []Rule
	state []ruleState
	began time.Time // of the first sample
}

type ruleState struct {
	when    node
	fired   time.Time // last, zero for never
	verdict Verdict
}

// A node mirrors a Condition and remembers since when it has been true.
type node struct {
	cond  *Condition
	id    vitals.ID
	since time.Time // zero while false
	kids  []node
}

// A Firing is a rule whose condition became true and that may act on it.
type Firing struct {
	Rule   *Rule
	Time   time.Time // when it fired: the sample's time
	Since  time.Time // when the condition became true
	Signal vitals.ID // the signal that decided
	Value  float64   // of that signal in the sample that fired
	Text   string    // "gc_cpu was 0.31, above 0.15 for 3s"
}

// A Verdict is what the engine last decided of a rule, and why.
type Verdict struct {
	Rule   string
	Time   time.Time
	Fired  bool
	Reason string // of firing or of not firing
}

// NewEngine returns an engine for rules, which it copies. Invalid rules are refused.
func NewEngine(rules []Rule) (*Engine, error) {
	if err := Validate(rules); err != nil {
		return nil, err
	}
	e := &Engine{rules: append([]Rule(nil), rules...), state: make([]ruleState, len(rules))}
	for i := range e.rules {
		e.state[i].when = newNode(&e.rules[i].When)
		e.state[i].verdict = Verdict{Rule: e.rules[i].Name, Reason: "no sample yet"}
	}
	return e, nil
}

func newNode(c *Condition) node {
	n := node{cond: c}
	n.id, _ = vitals.Lookup(c.Signal)
	for i := range c.All {
		n.kids = append(n.kids, newNode(&c.All[i]))
	}
	for i := range c.Any {
		n.kids = append(n.kids, newNode(&c.Any[i]))
	}
	return n
}

// Step evaluates every rule on a sample. history must not hold the sample itself, which would be part of its own
// baseline. Nothing is allocated unless a rule fires.
func (e *Engine) Step(s *vitals.Sample, history *vitals.History) []Firing {
	if e.began.IsZero() {
		e.began = s.Time
	}
	var fired []Firing
	for i := range e.rules {
		r, st := &e.rules[i], &e.state[i]
		holds, hit := st.when.step(s, history)
		st.verdict.Time, st.verdict.Fired, st.verdict.Reason = s.Time, false, ""
		switch {
		case holds != yes:
		case s.Time.Sub(e.began) < r.warmup():
			st.verdict.Reason = "warming up"
		case !st.fired.IsZero() && s.Time.Sub(st.fired) < r.cooldown():
			st.verdict.Reason = "cooling down"
		default:
			f := hit.firing(r, s, st.when.since)
			st.fired = s.Time
			st.verdict.Fired, st.verdict.Reason = true, f.Text
			fired = append(fired, f)
		}
	}
	return fired
}

// Reset forgets what was held, as after a restart of the target; cool-downs stay.
func (e *Engine) Reset() {
	e.began = time.Time{}
	for i := range e.state {
		e.state[i].when.reset()
	}
}

func (n *node) reset() {
	n.since = time.Time{}
	for i := range n.kids {
		n.kids[i].reset()
	}
}

// truth is what a sample says of a condition.
type truth int

const (
	unknown truth = iota // a signal it needs is absent
	no
	yes // and it has held for long enough
)

// step updates a condition. With yes comes the test that decided.
func (n *node) step(s *vitals.Sample, h *vitals.History) (truth, *node) {
	holds, hit := n.now(s, h)
	switch {
	case holds == unknown:
		return unknown, nil // n.since stays as it is
	case holds == no:
		n.since = time.Time{}
		return no, nil
	case n.since.IsZero():
		n.since = s.Time
	}
	if s.Time.Sub(n.since) < time.Duration(n.cond.For) {
		return no, nil
	}
	return yes, hit
}

// now is the condition in this sample alone, without its For.
func (n *node) now(s *vitals.Sample, h *vitals.History) (truth, *node) {
	if len(n.kids) == 0 {
		v, ok := s.Get(n.id)
		switch {
		case !ok:
			return unknown, nil
		case n.test(v, s.Time, h):
			return yes, n
		}
		return no, nil
	}
	// Any is decided by one yes, All by one no; every child sees every sample, or its hold would be wrong.
	decisive, result := no, yes
	if len(n.cond.Any) > 0 {
		decisive, result = yes, no
	}
	var hit *node
	for i := range n.kids {
		t, k := n.kids[i].step(s, h)
		if hit == nil {
			hit = k
		}
		if t == decisive {
			result = decisive
		} else if t == unknown && result != decisive {
			result = unknown
		}
	}
	if result != yes {
		hit = nil
	}
	return result, hit
}

func (n *node) test(v float64, at time.Time, h *vitals.History) bool {
	c := n.cond
	if c.Min != nil && v < *c.Min || c.Max != nil && v > *c.Max {
		return false
	}
	switch {
	case c.Above != nil:
		return v > *c.Above
	case c.Below != nil:
		return v < *c.Below
	default:
		mean, count := h.Mean(n.id, at.Add(-c.over()))
		return count >= minBaseline && v > mean*(1+*c.Rise/100)
	}
}

// minBaseline is how many samples a mean needs before a rise over it means something.
const minBaseline = 5

func (n *node) firing(r *Rule, s *vitals.Sample, since time.Time) Firing {
	v, _ := s.Get(n.id)
	return Firing{Rule: r, Time: s.Time, Since: since, Signal: n.id, Value: v, Text: n.text(v, s.Time)}
}

func (n *node) text(v float64, at time.Time) string {
	unit := n.id.Signal().Unit
	text := fmt.Sprintf("%s was %s, ", n.id, unit.Format(v))
	c := n.cond
	switch {
	case c.Above != nil:
		text += "above " + limit(unit, *c.Above)
	case c.Below != nil:
		text += "below " + limit(unit, *c.Below)
	default:
		text += fmt.Sprintf("more than %.0f %% over the mean of the %s before", *c.Rise, short(c.over()))
	}
	if held := at.Sub(n.since); held > 0 {
		text += " for " + short(held.Round(100*time.Millisecond))
	}
	return text
}
