package rule

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// allOf is true when all of its parts are.
var allOf = kind{
	name: "all", class: groups,
	set:      func(c *Condition) bool { return len(c.All) > 0 },
	parts:    func(c *Condition) []part { return listed("all", c.All) },
	compose:  func(parts []phrase) string { return joined(parts, " and ") },
	now:      func(n *node, m moment) (truth, *node) { return n.decide(m, no) },
	nearness: (*node).farthest,
	why:      (*node).whyParts,
}

// anyOf is true when one of its parts is.
var anyOf = kind{
	name: "any", class: groups,
	set:      func(c *Condition) bool { return len(c.Any) > 0 },
	parts:    func(c *Condition) []part { return listed("any", c.Any) },
	compose:  func(parts []phrase) string { return joined(parts, " or ") },
	now:      func(n *node, m moment) (truth, *node) { return n.decide(m, yes) },
	nearness: (*node).nearest,
	why:      (*node).whyParts,
}

func listed(name string, conds []Condition) []part {
	parts := make([]part, len(conds))
	for i := range conds {
		parts[i] = part{fmt.Sprintf("%s[%d]", name, i), &conds[i]}
	}
	return parts
}

func joined(parts []phrase, by string) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.whole()
	}
	return strings.Join(texts, by)
}

// decide reads a list of conditions. One yes decides Any, one no decides All. Every child sees every sample, otherwise
// its hold would be wrong.
func (n *node) decide(m moment, decisive truth) (truth, *node) {
	result := yes
	if decisive == yes {
		result = no
	}
	var hit *node
	for i := range n.kids {
		t, k := n.kids[i].step(m)
		if k != nil && (hit == nil || hit.kind.clock) { // what was wrong says more than that an hour was full
			hit = k
		}
		if t == unknown && n.kids[i].since.IsZero() {
			t = no // what was false stays false until a sample says otherwise
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

func (n *node) farthest(now time.Time) float64 {
	least := 1.0
	for i := range n.kids {
		least = math.Min(least, n.kids[i].nearness(now))
	}
	return least
}

func (n *node) nearest(now time.Time) float64 {
	most := 0.0
	for i := range n.kids {
		most = math.Max(most, n.kids[i].nearness(now))
	}
	return most
}

func (n *node) whyParts(s *vitals.Sample, absent map[string]string) string {
	parts := make([]string, len(n.kids))
	for i := range n.kids {
		parts[i] = n.kids[i].why(s, absent)
	}
	return strings.Join(parts, "; ")
}

// shared is what the tests of an engine remember together: a dozen tests want what load was in stretches of a few
// lengths, and a watch may have a thousand engines. It is used while an engine is made.
type shared struct {
	ofSlots map[stretches]*slots
	ofPast  map[stretches]*past
}

// stretches are those of a signal.
type stretches struct {
	id     vitals.ID
	length time.Duration
}

// slots are those of a signal in stretches of a length.
func (s *shared) slots(id vitals.ID, width time.Duration) *slots {
	key := stretches{id, width}
	if s.ofSlots[key] == nil {
		s.ofSlots[key] = new(slots)
	}
	return s.ofSlots[key]
}

// past is that of a signal whose first values are those of some time.
func (s *shared) past(id vitals.ID, first time.Duration) *past {
	key := stretches{id, first}
	if s.ofPast[key] == nil {
		s.ofPast[key] = new(past)
	}
	return s.ofPast[key]
}
