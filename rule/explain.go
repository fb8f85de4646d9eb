package rule

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Explain says for every rule why it last fired or did not. s is the sample of the last Step; absent has the target's
// reasons for absent signals, by name.
func (e *Engine) Explain(s *vitals.Sample, absent map[string]string) []Verdict {
	out := make([]Verdict, len(e.rules))
	for i := range e.rules {
		st := &e.state[i]
		out[i] = st.verdict
		if out[i].Reason == "" {
			out[i].Reason = st.pace.text(&e.rules[i], st.verdict.Time)
		}
		if out[i].Reason == "" {
			out[i].Reason = st.when.why(s, absent)
		}
	}
	return out
}

// why says why a condition was not true in a sample.
func (n *node) why(s *vitals.Sample, absent map[string]string) string {
	if n.kind.why != nil {
		return n.kind.why(n, s, absent)
	}
	v, ok := n.seen(s)
	if !ok && n.read.state != unknown && n.remembers() {
		return n.signal().Name + n.whyReading(absent)
	}
	if !ok {
		return whyAbsent(n.signal().Name, absent)
	}
	text := fmt.Sprintf("%s is %s%s", n.signal().Name, n.signal().Unit.Format(v), n.cond.ofMean())
	if !n.since.IsZero() && n.cond.For > 0 {
		return text + "; " + heldText(s.Time.Sub(n.since), n.cond)
	}
	return text + n.whyReading(absent)
}

// heldText is "held 3s of 5s", or "held 7s" if that is long enough.
func heldText(held time.Duration, c *Condition) string {
	text := "held " + number.Setting(tenths(held))
	if wanted := time.Duration(c.For); held < wanted {
		text += " of " + number.Setting(wanted)
	}
	return text
}

func whyAbsent(signal string, absent map[string]string) string {
	if reason := absent[signal]; reason != "" {
		return fmt.Sprintf("%s is absent: %s", signal, reason)
	}
	return signal + " has no value in this sample"
}

// whyReading adds what a test found beyond the signal's value.
func (n *node) whyReading(absent map[string]string) string {
	if n.other().Name != "" && n.read.state == unknown {
		return ", but " + whyAbsent(n.other().Name, absent)
	}
	if text := n.kind.saw(n); text != "" {
		return "; " + text
	}
	return ""
}

// String describes a condition: "gc_cpu above 15 % for 3s". Numbers of signals that are not built in have no unit.
func (c *Condition) String() string { return c.Words(nil) }

// Words describes a condition, with the units of a catalog's signals.
func (c *Condition) Words(catalog *vitals.Catalog) string {
	k := c.kind()
	text := ""
	switch k.class {
	case groups:
		text = k.compose(phrases(k.parts(c), catalog))
	case tests:
		_, signal := find(c.Signal, catalog)
		text = c.Signal + c.ofMean() + " " + k.words(c, signal, catalog) + c.bounds(signal.Unit)
	default:
		text = k.words(c, vitals.Signal{}, catalog)
	}
	if c.For > 0 && k.class == groups && !k.edge {
		text = "(" + text + ")"
	}
	if c.For > 0 {
		text += " for " + number.Setting(time.Duration(c.For))
	}
	return text
}

// bounds are Min and Max in words.
func (c *Condition) bounds(unit vitals.Unit) (text string) {
	if c.Min != nil {
		text += ", at least " + unit.Format(*c.Min)
	}
	if c.Max != nil {
		text += ", at most " + unit.Format(*c.Max)
	}
	return text
}

func phrases(parts []part, catalog *vitals.Catalog) []phrase {
	out := make([]phrase, len(parts))
	for i, p := range parts {
		k := p.cond.kind()
		out[i] = phrase{text: p.cond.Words(catalog), loose: k.class == groups && (p.cond.For == 0 || k.edge)}
	}
	return out
}

// or joins names: "a, b or c".
func or(names []string) string { return spoken(names, " or ") }

// and joins names: "a, b and c".
func and(names []string) string { return spoken(names, " and ") }

func spoken(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	most := len(names) - 1
	return strings.Join(names[:most], ", ") + last + names[most]
}
