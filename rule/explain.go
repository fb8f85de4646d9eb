package rule

import (
	"fmt"
	"strings"
	"time"

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

// why says why a condition did not hold in a sample.
func (n *node) why(s *vitals.Sample, absent map[string]string) string {
	switch {
	case n.cond.Recovered != nil:
		return n.whyNotRecovered(s, absent)
	case len(n.kids) > 0:
		parts := make([]string, len(n.kids))
		for i := range n.kids {
			parts[i] = n.kids[i].why(s, absent)
		}
		return strings.Join(parts, "; ")
	case n.cond.Every > 0:
		return n.scheduleText(s.Time)
	case n.cond.Stuck != nil:
		return n.whyNotStuck()
	case n.cond.Polling != nil:
		return n.whyNotPolling()
	}
	v, ok := s.Get(n.id)
	switch {
	case !ok && n.read.state != unknown && (n.growing != nil && n.read.slope.filled > 0 || n.past != nil && n.read.enough):
		return n.signal.Name + n.whyReading(absent)
	case !ok:
		return whyAbsent(n.signal.Name, absent)
	}
	text := fmt.Sprintf("%s is %s", n.signal.Name, n.signal.Unit.Format(v))
	if !n.since.IsZero() && n.cond.For > 0 {
		return text + "; " + heldText(s.Time.Sub(n.since), n.cond)
	}
	return text + n.whyReading(absent)
}

// heldText is "held 3s of 5s", or "held 7s" if that is long enough.
func heldText(held time.Duration, c *Condition) string {
	text := "held " + short(tenths(held))
	if wanted := time.Duration(c.For); held < wanted {
		text += " of " + short(wanted)
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
	c, r := n.cond, &n.read
	switch {
	case n.other.Name != "" && r.state == unknown:
		return ", but " + whyAbsent(n.other.Name, absent)
	case c.Of != "" && !r.enough:
		return fmt.Sprintf("; %s is 0, so no multiple of it can be a limit", n.other.Name)
	case c.Of != "":
		return fmt.Sprintf("; the limit is %s", limit(n.signal.Unit, r.need))
	case c.Trend != nil:
		return "; " + n.trendText(r)
	case c.Periodic != nil:
		return "; " + n.periodicText(r)
	case c.Growth != nil:
		return "; " + n.growthText(r)
	case c.Grown != nil:
		return "; " + n.grownText(r)
	case c.Bursts != nil:
		return "; " + n.burstsText(r)
	case c.Rise != nil && !r.enough:
		return fmt.Sprintf("; a mean needs %d values", minBaseline)
	case c.Rise != nil:
		return fmt.Sprintf("; the mean of the %s before is %s", short(c.over()), n.signal.Unit.Format(r.mean))
	}
	return ""
}

func (n *node) whyNotRecovered(s *vitals.Sample, absent map[string]string) string {
	kid := &n.kids[0]
	switch {
	case !n.edge.armed:
		return "nothing to recover from: " + kid.why(s, absent)
	case n.since.IsZero():
		return "not recovered: " + kid.why(s, absent)
	}
	return fmt.Sprintf("(%s) is over: %s", kid.words, heldText(s.Time.Sub(n.since), n.cond))
}

// String describes a condition: "gc_cpu above 15 % for 3s". Numbers of signals that are not built in have no unit.
func (c *Condition) String() string { return c.Words(nil) }

// Words describes a condition, with the units of a catalog's signals.
func (c *Condition) Words(catalog *vitals.Catalog) string {
	var text string
	switch {
	case len(c.All) > 0:
		text = join(c.All, " and ", catalog)
	case len(c.Any) > 0:
		text = join(c.Any, " or ", catalog)
	case c.Recovered != nil:
		text = "recovery from (" + c.Recovered.Words(catalog) + ")"
	case c.Every > 0:
		text = c.everyWords()
	case c.Stuck != nil:
		text = c.Stuck.words()
	case c.Polling != nil:
		text = c.Polling.words()
	default:
		text = c.testWords(catalog)
	}
	if c.For > 0 && len(c.All)+len(c.Any) > 0 {
		text = "(" + text + ")"
	}
	if c.For > 0 {
		text += " for " + short(time.Duration(c.For))
	}
	return text
}

func (c *Condition) testWords(catalog *vitals.Catalog) string {
	_, signal := find(c.Signal, catalog)
	unit := signal.Unit
	text := c.Signal + " "
	switch {
	case c.Rise != nil:
		text += fmt.Sprintf("more than %.0f %% over the mean of the last %s", *c.Rise, short(c.over()))
		if len(c.Beyond) > 0 {
			text += ", beyond the rise of " + or(c.Beyond)
		}
	case c.Trend != nil:
		text += c.Trend.words(unit)
	case c.Periodic != nil:
		text += c.Periodic.words()
	case c.Growth != nil:
		text += c.Growth.words(unit)
	case c.Grown != nil:
		text += c.Grown.words()
	case c.Bursts != nil:
		_, of := find(c.Bursts.Of, catalog)
		text += c.Bursts.words(signal, of)
	default:
		_, other := find(c.Of, catalog)
		text += c.threshold(signal, other)
	}
	if c.Min != nil {
		text += ", at least " + limit(unit, *c.Min)
	}
	if c.Max != nil {
		text += ", at most " + limit(unit, *c.Max)
	}
	return text
}

func join(cs []Condition, sep string, catalog *vitals.Catalog) string {
	parts := make([]string, len(cs))
	for i := range cs {
		parts[i] = cs[i].Words(catalog)
		if len(cs[i].All)+len(cs[i].Any) > 0 && cs[i].For == 0 || cs[i].Recovered != nil {
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
