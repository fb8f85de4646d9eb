package rule

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// An Engine evaluates rules sample by sample. It is not safe for concurrent use.
type Engine struct {
	rules  []Rule
	state  []ruleState
	began  time.Time // of the first sample
	last   time.Time // of the last one
	steps  uint64    // samples that were judged
	census census
	needs  bool                   // some rule looks at stacks
	others map[string][]time.Time // firings of rules that are not among these and may return, by name
}

type ruleState struct {
	when    node
	pace    pace
	near    time.Time // since when it has been near its limit, zero while it is not
	verdict Verdict   // without the reason, unless it fired
}

// A node mirrors a Condition and remembers since when it has been true.
type node struct {
	cond    *Condition
	kind    *kind
	catalog *vitals.Catalog
	id      vitals.ID   // of the signal that is tested, noID without one
	limit   vitals.ID   // of the one that has the limit
	beyond  []vitals.ID // of Beyond
	wording func(*Condition, *vitals.Catalog) string
	kids    []node // of its parts

	since time.Time // zero while false
	state any       // what its kind remembers
	read  reading   // of a test, in the last sample
	way   way       // to the limit
}

// noID is the ID of no signal: it is absent in every sample.
const noID vitals.ID = -1

// A moment is a sample and what came before it.
type moment struct {
	sample  *vitals.Sample
	history *vitals.History
	step    uint64    // of the engine
	began   time.Time // of the process under watch, as the engine saw it
}

// since is the beginning of a window. Samples from before the process started are not its past.
func (m moment) since(window time.Duration) time.Time {
	if t := m.sample.Time.Add(-window); t.After(m.began) {
		return t
	}
	return m.began
}

// A Firing is a rule whose condition became true and that may act on it.
type Firing struct {
	Rule   *Rule
	Time   time.Time     // when it fired: the sample's time
	Since  time.Time     // when the condition became true: Time less the rule's "for", or earlier
	Signal vitals.Signal // that decided; without a name if it was a schedule or goroutines that wait
	Value  float64       // of that signal in the sample that fired; for goroutines that wait, how many
	Text   string        // "gc_cpu was 0.31, above 0.15 for 3s"
}

// A Verdict is what the engine last decided about a rule, and why.
type Verdict struct {
	Rule   string
	Time   time.Time
	Fired  bool
	Reason string // of firing or of not firing
}

// NewEngine returns an engine for rules, which it copies, on samples of a catalog. Invalid rules are refused.
func NewEngine(rules []Rule, catalog *vitals.Catalog) (*Engine, error) {
	if err := Validate(rules, catalog); err != nil {
		return nil, err
	}
	e := &Engine{rules: append([]Rule(nil), rules...), state: make([]ruleState, len(rules))}
	for i := range e.rules {
		e.state[i].when = newNode(&e.rules[i].When, catalog)
		e.needs = e.needs || e.rules[i].When.needsCensus()
		e.state[i].verdict = Verdict{Rule: e.rules[i].Name, Reason: "no sample yet"}
	}
	all := shared{ofSlots: make(map[stretches]*slots), ofPast: make(map[stretches]*past)}
	e.eachNode(func(n *node) {
		if n.kind.share != nil {
			n.kind.share(n, &all)
		}
	})
	return e, nil
}

// Rules are the engine's own. They must not be changed.
func (e *Engine) Rules() []Rule { return slices.Clip(e.rules) }

func newNode(c *Condition, catalog *vitals.Catalog) node {
	n := node{cond: c, kind: c.kind(), catalog: catalog, wording: (*Condition).Words}
	n.id, _ = find(c.Signal, catalog)
	n.limit, _ = find(n.limitSignal(), catalog)
	for _, name := range c.Beyond {
		id, _ := find(name, catalog)
		n.beyond = append(n.beyond, id)
	}
	if n.kind.start != nil {
		n.state = n.kind.start(&n, catalog)
	}
	parts := c.parts()
	n.kids = make([]node, len(parts)) // of the exact size: a watch has 150 of 200 bytes
	for i, p := range parts {
		n.kids[i] = newNode(p.cond, catalog)
	}
	return n
}

func find(name string, catalog *vitals.Catalog) (vitals.ID, vitals.Signal) {
	id, ok := catalog.Lookup(name)
	if !ok {
		return noID, vitals.Signal{Name: name}
	}
	return id, catalog.Signal(id)
}

// signal is the one that is tested; without a name if the condition tests none. Names and units are looked up when
// there is something to say: a thousand watches have 150,000 nodes.
func (n *node) signal() vitals.Signal {
	_, s := find(n.cond.Signal, n.catalog)
	return s
}

// other is the signal that has the limit; without a name if that is a number.
func (n *node) other() vitals.Signal {
	_, s := find(n.limitSignal(), n.catalog)
	return s
}

func (n *node) limitSignal() string {
	if n.kind.limit == nil {
		return ""
	}
	return n.kind.limit(n.cond)
}

// words are the condition for a person. They are not called by name: kinds have functions that need them, and Go would
// have to know all kinds before itself.
func (n *node) words() string { return n.wording(n.cond, n.catalog) }

// Step evaluates every rule on a sample. history must not contain the sample itself, or it would be part of its own
// baseline. Nothing is allocated unless a rule fires.
func (e *Engine) Step(s *vitals.Sample, history *vitals.History) []Firing {
	if e.began.IsZero() {
		e.began = s.Time
	}
	e.last = s.Time
	e.steps++
	m := moment{s, history, e.steps, e.began}
	var fired []Firing
	for i := range e.rules {
		r, st := &e.rules[i], &e.state[i]
		holds, hit := st.when.step(m)
		st.approach(s.Time)
		st.verdict.Time, st.verdict.Fired, st.verdict.Reason = s.Time, false, ""
		may := st.pace.judge(r, holds == yes, s.Time, e.began)
		if holds != yes || !may {
			continue
		}
		f := hit.firing(r, s, st.when.since)
		st.pace.add(r, s.Time)
		st.verdict.Fired, st.verdict.Reason = true, f.Text
		fired = append(fired, f)
	}
	return fired
}

// Holds reports whether the condition of a rule, by name, has been true since some sample and is not known to have
// ended. For how long it must be true before the rule fires does not matter.
func (e *Engine) Holds(rule string) bool {
	for i := range e.rules {
		if e.rules[i].Name == rule {
			return !e.state[i].when.since.IsZero()
		}
	}
	return false
}

// Reset forgets which conditions held and which goroutines waited, as after a restart of the target; cool-downs, limits
// per hour and schedules stay.
func (e *Engine) Reset() {
	e.began = time.Time{}
	e.census = census{}
	for i := range e.state {
		e.state[i].near = time.Time{}
		e.state[i].when.reset()
	}
}

func (n *node) reset() {
	n.since, n.read, n.way = time.Time{}, reading{}, way{}
	if n.kind.reset != nil {
		n.kind.reset(n)
	}
	for i := range n.kids {
		n.kids[i].reset()
	}
}

// truth is the state of a condition in a sample.
type truth int

const (
	unknown truth = iota // a signal it needs is absent
	no
	yes // and it has held long enough
)

// step updates a condition. When the state is yes, it also returns the test that decided.
func (n *node) step(m moment) (truth, *node) {
	holds, hit := n.now(m)
	switch {
	case holds == unknown:
		return unknown, nil // n.since does not change
	case holds == no:
		n.since = time.Time{}
		return no, nil
	case n.since.IsZero():
		n.since = m.sample.Time
	}
	if m.sample.Time.Sub(n.since) < time.Duration(n.cond.For) {
		return no, nil
	}
	if n.kind.spent != nil {
		n.kind.spent(n)
	}
	return yes, hit
}

// now is the condition in this sample alone, without its For.
func (n *node) now(m moment) (truth, *node) {
	if n.kind.now != nil {
		return n.kind.now(n, m)
	}
	n.judge(m)
	n.approach(m)
	if n.read.state == yes {
		return yes, n
	}
	return n.read.state, nil
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

// all calls visit for n and every node below it.
func (n *node) all(visit func(*node)) {
	visit(n)
	for i := range n.kids {
		n.kids[i].all(visit)
	}
}

func (e *Engine) eachNode(visit func(*node)) {
	for i := range e.state {
		e.state[i].when.all(visit)
	}
}

func (n *node) firing(r *Rule, s *vitals.Sample, since time.Time) Firing {
	shown := n
	if n.kind.shown != nil {
		shown = n.kind.shown(n, s)
	}
	f := Firing{Rule: r, Time: s.Time, Since: since, Signal: shown.signal(), Text: n.report(shown, s)}
	if v, ok := shown.seen(s); ok {
		f.Value = v
	} else if shown.kind.value != nil {
		f.Value = shown.kind.value(shown)
	}
	return f
}
