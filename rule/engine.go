package rule

import (
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
	id    vitals.ID // of a test's signal
	reach vitals.ID // of the signal that is a trend's limit
	since time.Time // zero while false
	kids  []node    // of All, Any, Recovered
	edge  edge      // of Recovered
	read  reading   // of a test, in the last sample
}

// A moment is a sample and what came before it.
type moment struct {
	sample  *vitals.Sample
	history *vitals.History
	began   time.Time // of the process under watch, as the engine saw it
}

// since is the beginning of a window. What came before the process did is not its past.
func (m moment) since(window time.Duration) time.Time {
	if t := m.sample.Time.Add(-window); t.After(m.began) {
		return t
	}
	return m.began
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

const warmingUp = "warming up"

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
	if c.Trend != nil {
		n.reach, _ = vitals.Lookup(c.Trend.Reach.Signal)
	}
	for i := range c.All {
		n.kids = append(n.kids, newNode(&c.All[i]))
	}
	for i := range c.Any {
		n.kids = append(n.kids, newNode(&c.Any[i]))
	}
	if c.Recovered != nil {
		n.kids = append(n.kids, newNode(c.Recovered))
	}
	return n
}

// Step evaluates every rule on a sample. history must not hold the sample itself, which would be part of its own
// baseline. Nothing is allocated unless a rule fires.
func (e *Engine) Step(s *vitals.Sample, history *vitals.History) []Firing {
	if e.began.IsZero() {
		e.began = s.Time
	}
	m := moment{s, history, e.began}
	var fired []Firing
	for i := range e.rules {
		r, st := &e.rules[i], &e.state[i]
		holds, hit := st.when.step(m)
		st.verdict.Time, st.verdict.Fired, st.verdict.Reason = s.Time, false, ""
		switch {
		case holds != yes:
		case s.Time.Sub(e.began) < r.warmup():
			st.verdict.Reason = warmingUp
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
	n.since, n.edge, n.read = time.Time{}, edge{}, reading{}
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
func (n *node) step(m moment) (truth, *node) {
	holds, hit := n.now(m)
	switch {
	case holds == unknown:
		return unknown, nil // n.since stays as it is
	case holds == no:
		n.since = time.Time{}
		return no, nil
	case n.since.IsZero():
		n.since = m.sample.Time
	}
	if m.sample.Time.Sub(n.since) < time.Duration(n.cond.For) {
		return no, nil
	}
	n.edge.armed = false // an edge is true once
	return yes, hit
}

// now is the condition in this sample alone, without its For.
func (n *node) now(m moment) (truth, *node) {
	switch {
	case n.cond.Recovered != nil:
		return n.recovered(m)
	case len(n.kids) > 0:
		return n.group(m)
	}
	n.read = n.test(m)
	if n.read.state == yes {
		return yes, n
	}
	return n.read.state, nil
}

// group is All or Any. Any is decided by one yes, All by one no; every child sees every sample, or its hold would be
// wrong.
func (n *node) group(m moment) (truth, *node) {
	decisive, result := no, yes
	if len(n.cond.Any) > 0 {
		decisive, result = yes, no
	}
	var hit *node
	for i := range n.kids {
		t, k := n.kids[i].step(m)
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

// leaves calls visit for every test of a signal at or below n.
func (n *node) leaves(visit func(*node)) {
	if len(n.kids) == 0 {
		visit(n)
	}
	for i := range n.kids {
		n.kids[i].leaves(visit)
	}
}

func (n *node) firing(r *Rule, s *vitals.Sample, since time.Time) Firing {
	shown := n.shown(s)
	v, _ := s.Get(shown.id)
	return Firing{Rule: r, Time: s.Time, Since: since, Signal: shown.id, Value: v, Text: n.text(shown.id, v, s.Time)}
}
