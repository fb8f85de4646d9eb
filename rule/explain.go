package rule

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// Explain says of every rule why it last fired or did not. s is the sample of the last Step; absent has the target's
// reasons for absent signals, by name.
func (e *Engine) Explain(s *vitals.Sample, absent map[string]string) []Verdict {
	out := make([]Verdict, len(e.rules))
	for i := range e.rules {
		out[i] = e.state[i].verdict
		if out[i].Reason == "" {
			out[i].Reason = e.state[i].when.why(s, absent)
		}
	}
	return out
}

// why says why a condition did not hold in a sample.
func (n *node) why(s *vitals.Sample, absent map[string]string) string {
	if len(n.kids) > 0 {
		parts := make([]string, len(n.kids))
		for i := range n.kids {
			parts[i] = n.kids[i].why(s, absent)
		}
		return strings.Join(parts, "; ")
	}
	sig := n.id.Signal()
	v, ok := s.Get(n.id)
	switch {
	case !ok && absent[sig.Name] != "":
		return fmt.Sprintf("%s is absent: %s", sig.Name, absent[sig.Name])
	case !ok:
		return sig.Name + " has no value in this sample"
	case !n.since.IsZero():
		return fmt.Sprintf("%s is %s; held %s of %s", sig.Name, sig.Unit.Format(v), short(s.Time.Sub(n.since)), n.cond.For)
	}
	return fmt.Sprintf("%s is %s", sig.Name, sig.Unit.Format(v))
}

// String says a condition in words: "gc_cpu above 15 % for 3s".
func (c *Condition) String() string {
	var text string
	switch {
	case len(c.All) > 0:
		text = join(c.All, " and ")
	case len(c.Any) > 0:
		text = join(c.Any, " or ")
	default:
		text = c.testString()
	}
	if c.For > 0 {
		text += " for " + short(time.Duration(c.For))
	}
	return text
}

func (c *Condition) testString() string {
	id, _ := vitals.Lookup(c.Signal)
	unit := id.Signal().Unit
	text := c.Signal
	switch {
	case c.Above != nil:
		text += " above " + limit(unit, *c.Above)
	case c.Below != nil:
		text += " below " + limit(unit, *c.Below)
	case c.Rise != nil:
		text += fmt.Sprintf(" more than %.0f %% over the mean of the last %s", *c.Rise, short(c.over()))
	}
	if c.Min != nil {
		text += ", at least " + limit(unit, *c.Min)
	}
	if c.Max != nil {
		text += ", at most " + limit(unit, *c.Max)
	}
	return text
}

func join(cs []Condition, sep string) string {
	parts := make([]string, len(cs))
	for i := range cs {
		parts[i] = cs[i].String()
		if len(cs[i].All)+len(cs[i].Any) > 0 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, sep)
}

// limit prints a threshold as a person would: "15 %", not "15.0 %".
func limit(unit vitals.Unit, v float64) string {
	number, rest, _ := strings.Cut(unit.Format(v), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + rest)
}

// short prints a duration without the zero units that time.Duration appends: "1m", not "1m0s".
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
