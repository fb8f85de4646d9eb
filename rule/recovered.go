package rule

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// An edge is the state of the condition whose end a Recovered condition waits for.
type edge struct {
	armed bool      // it held, and its end has not been reported yet
	since time.Time // when it began to hold
	until time.Time // when it was last seen to hold
	leaf  *node     // the test that decided
}

// recovered is the condition in this sample alone: yes from when what held stops holding. A condition that has its own
// For and is true again, but not for that long yet, has not recovered.
func (n *node) recovered(m moment) (truth, *node) {
	kid := &n.kids[0]
	t, leaf := kid.step(m)
	switch {
	case t == yes:
		if !n.edge.armed {
			n.edge.since = kid.since
		}
		n.edge.armed, n.edge.until, n.edge.leaf = true, m.sample.Time, leaf
		return no, nil
	case t == unknown && n.edge.armed:
		return unknown, nil
	case !n.edge.armed || !kid.since.IsZero():
		return no, nil
	}
	return yes, n
}

// shown is the test whose signal represents the condition: a present one, if there is any.
func (n *node) shown(s *vitals.Sample) *node {
	if n.cond.Recovered == nil {
		return n
	}
	if leaf := n.edge.leaf; leaf != nil {
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

// recoveredText says what ended: "gc_cpu above 15 % held for 1m20s, and not for the last 30s".
func (n *node) recoveredText(at time.Time) string {
	text := fmt.Sprintf("%s held for %s", "("+n.kids[0].words+")", short(tenths(n.edge.until.Sub(n.edge.since))))
	if ended := at.Sub(n.since); ended > 0 {
		text += fmt.Sprintf(", and not for the last %s", short(tenths(ended)))
	}
	return text
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
