package rule

import (
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A reading is what a test saw in one sample. The test decides what the numbers mean, and compares have with need. What
// else it has to say about its reading is in the node's state.
type reading struct {
	state      truth // of the test with its floor and cap; unknown if a signal is absent
	enough     bool  // of the past, to judge
	have, need float64
	mean       float64 // what is normal: before, between, at first
	limit      float64 // that a value or level must be above
}

// judge reads a test, with its floor and cap.
func (n *node) judge(m moment) {
	v, ok, whole := n.value(n.id, m)
	if !ok && n.cond.Signal != "" && n.kind.level == nil {
		n.read = reading{state: unknown}
		return
	}
	n.read = n.kind.measure(n, v, m)
	if !whole && n.read.state == yes {
		n.read.state = no
	}
	c := n.cond
	if n.read.state != yes || c.Min == nil && c.Max == nil {
		return
	}
	if !ok {
		v, _ = n.level()
	}
	if c.Min != nil && v < *c.Min || c.Max != nil && v > *c.Max {
		n.read.state = no
	}
}

// level is what a test uses as the signal's value when the sample has none, if it remembers one.
func (n *node) level() (v float64, ok bool) {
	if n.kind.level == nil {
		return 0, false
	}
	return n.kind.level(n)
}

// remembers reports whether a test knows the signal's value when the sample has none.
func (n *node) remembers() bool {
	_, ok := n.level()
	return ok
}

// report says why a condition was true: "gc_cpu was 31.0 %, above 15 % for 5s". The value is that of the test shown.
func (n *node) report(shown *node, s *vitals.Sample) string {
	text := ""
	if shown.cond.Signal != "" {
		v, ok := shown.seen(s)
		if !ok { // of a growth that moves now and then
			v, _ = shown.level()
		}
		text = shown.signal().Name + " was " + shown.signal().Unit.Format(v) + shown.cond.ofMean() + ", "
	}
	if n.kind.report != nil {
		return text + n.kind.report(n, s)
	}
	text += n.verdict()
	if held := s.Time.Sub(n.since); held > 0 {
		text += " for " + number.Setting(tenths(held))
	}
	return text
}

// verdict says what a test found about a signal.
func (n *node) verdict() string {
	if n.kind.fired != nil {
		return n.kind.fired(n)
	}
	return n.kind.saw(n)
}
