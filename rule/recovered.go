package rule

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// recovery is true when a condition has ended. It gives no warning: what comes is good.
var recovery = kind{
	name: "recovered", class: groups, edge: true,
	set: func(c *Condition) bool { return c.Recovered != nil },
	parts: func(c *Condition) []part {
		if c.Recovered == nil {
			return nil
		}
		return []part{{"recovered", c.Recovered}}
	},
	compose:  func(parts []phrase) string { return "recovery from (" + parts[0].text + ")" },
	start:    started[edge],
	reset:    cleared[edge],
	now:      (*node).recovered,
	spent:    func(n *node) { n.state.(*edge).armed = false }, // an edge is true only once
	nearness: func(*node, time.Time) float64 { return 0 },
	shown:    (*node).ended,
	why:      (*node).whyNotRecovered,
	report:   func(n *node, s *vitals.Sample) string { return "recovered: " + n.recoveredText(s.Time) },
}

// An edge is the state of the condition whose end a Recovered condition waits for.
type edge struct {
	armed bool      // it was true, and its end has not been reported yet
	since time.Time // when it began to hold
	until time.Time // when it was last seen to be true
	leaf  *node     // the test that decided
}

// recovered is the condition in this sample alone: yes from the sample in which what was true stops being true. A
// condition that has its own For and is true again, but not for that long yet, has not recovered.
func (n *node) recovered(m moment) (truth, *node) {
	kid, edge := &n.kids[0], n.state.(*edge)
	t, leaf := kid.step(m)
	switch {
	case t == yes:
		if !edge.armed {
			edge.since = kid.since
		}
		edge.armed, edge.until, edge.leaf = true, m.sample.Time, leaf
		return no, nil
	case t == unknown && edge.armed:
		return unknown, nil
	case !edge.armed || !kid.since.IsZero():
		return no, nil
	}
	return yes, n
}

// ended is the test whose signal represents what ended: a present one, if there is any.
func (n *node) ended(s *vitals.Sample) *node {
	if leaf := n.state.(*edge).leaf; leaf != nil {
		if _, ok := s.Get(leaf.id); ok {
			return leaf
		}
	}
	leaf := n
	n.leaves(func(l *node) {
		if _, ok := s.Get(l.id); ok || leaf == n {
			leaf = l
		}
	})
	return leaf
}

func (n *node) whyNotRecovered(s *vitals.Sample, absent map[string]string) string {
	kid := &n.kids[0]
	switch {
	case !n.state.(*edge).armed:
		return "nothing to recover from: " + kid.why(s, absent)
	case n.since.IsZero():
		return "not recovered: " + kid.why(s, absent)
	}
	return fmt.Sprintf("(%s) is over: %s", kid.words(), heldText(s.Time.Sub(n.since), n.cond))
}

// recoveredText says what ended: "gc_cpu above 15 % held for 1m20s, and not for the last 30s".
func (n *node) recoveredText(at time.Time) string {
	edge := n.state.(*edge)
	text := fmt.Sprintf("(%s) held for %s", n.kids[0].words(), number.Setting(tenths(edge.until.Sub(edge.since))))
	if ended := at.Sub(n.since); ended > 0 {
		text += fmt.Sprintf(", and not for the last %s", number.Setting(tenths(ended)))
	}
	return text
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
