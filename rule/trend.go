package rule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Trend tests whether a signal is certain to reach a limit in time.
//
//	{"signal": "rss", "trend": {"reach": "memory_limit", "within": "30m", "over": "10m"}}
//
// A least-squares line is fitted to the values of the window, the current one included. The condition is true when the
// slope is beyond zero with 99 % confidence, and the line's level now plus Within times the lower 99 % confidence bound
// of the slope still reaches the limit: a rise that might be noise, or that might be slow enough, does not count.
// vitals.History.Line has the test and its correction for autocorrelation. The window must hold ten values that span
// half of it.
type Trend struct {
	// Reach is the limit: a number in the signal's own unit, or the name of a signal of the same unit, whose value
	// in the sample is the limit.
	Reach *Level `json:"reach"`
	// Within is how soon the limit must be reached.
	Within Duration `json:"within"`
	// Over is the window of the line, up to 24h. Zero means DefaultTrendOver.
	Over Duration `json:"over,omitempty"`
	// Falling says that the limit is approached from above, as free memory approaches 0.
	Falling bool `json:"falling,omitempty"`
}

// trend is a Trend as a kind.
var trend = kind{
	name: "trend", class: tests,
	set:      func(c *Condition) bool { return c.Trend != nil },
	validate: validateTrend,
	words: func(c *Condition, signal vitals.Signal, _ *vitals.Catalog) string {
		return c.Trend.words(signal.Unit)
	},
	lookback: func(c *Condition) time.Duration { return c.Trend.over() },
	limit:    func(c *Condition) string { return c.Trend.Reach.signal() },
	start:    started[trending],
	keep:     kept[trending],
	reset:    cleared[trending],
	measure:  (*node).trend,
	way:      (*node).trendWay,
	saw:      (*node).trendText,
	gap: func(n *node, _, _ float64) float64 {
		_, sign := n.cond.Trend.direction()
		return sign * (n.read.need - n.read.have)
	},
}

const (
	DefaultTrendOver = 10 * time.Minute
	maxTrendOver     = 24 * time.Hour
	maxWithin        = 365 * 24 * time.Hour
	minTrend         = 10 // values in the window: with fewer, anything has a slope
)

func (t *Trend) over() time.Duration { return orDefault(t.Over, DefaultTrendOver) }

// direction is the word and the sign of the way to the limit.
func (t *Trend) direction() (word string, sign float64) {
	if t.Falling {
		return "falling", -1
	}
	return "rising", 1
}

// A Level is a number or the name of the signal that has it. In JSON it is just that number or string.
type Level struct {
	Value  float64
	Signal string // if not empty, it counts and Value does not
}

// signal is the one that has the level, "" for a number or none.
func (l *Level) signal() string {
	if l == nil {
		return ""
	}
	return l.Signal
}

// MarshalJSON writes the number or the name.
func (l Level) MarshalJSON() ([]byte, error) {
	if l.Signal != "" {
		return json.Marshal(l.Signal)
	}
	return json.Marshal(l.Value)
}

// UnmarshalJSON reads a number or a name.
func (l *Level) UnmarshalJSON(b []byte) error {
	*l = Level{}
	var err error
	if bytes.HasPrefix(b, []byte{'"'}) {
		err = json.Unmarshal(b, &l.Signal)
	} else {
		err = json.Unmarshal(b, &l.Value)
	}
	if err != nil || bytes.Equal(b, []byte("null")) || bytes.Equal(b, []byte(`""`)) {
		return errors.New(`wants a number, or the name of a signal such as "memory_limit"`)
	}
	return nil
}

// A trending is the line that a node with a Trend fitted last.
type trending struct {
	line    vitals.Line
	slowest float64 // the confidence bound of the slope that is nearer to zero
}

// trend reads a Trend: have is where the signal will be at least after Trend.Within, need is the limit.
func (n *node) trend(_ float64, m moment) reading {
	t, seen := n.cond.Trend, n.state.(*trending)
	*seen = trending{}
	r := reading{state: no, need: t.Reach.Value}
	if t.Reach.Signal != "" {
		limit, ok := m.sample.Get(n.limit)
		if !ok {
			return reading{state: unknown}
		}
		r.need = limit
	}
	seen.line = m.history.Line(n.id, m.since(t.over()), m.sample)
	r.enough = seen.line.N >= minTrend && seen.line.Span >= t.over()/2
	if !r.enough {
		return r
	}
	_, sign := t.direction()
	low, high := seen.line.SlopeBounds()
	seen.slowest = low
	if t.Falling {
		seen.slowest = high
	}
	r.have = seen.line.Level + seen.slowest*time.Duration(t.Within).Seconds()
	if sign*seen.slowest > 0 && sign*r.have >= sign*r.need {
		r.state = yes
	}
	return r
}

// trendWay is the share of the limit that is certain to be reached in time.
func (n *node) trendWay(float64) float64 {
	_, sign := n.cond.Trend.direction()
	switch {
	case !(sign*n.state.(*trending).slowest > 0):
		return 0
	case sign < 0:
		return ratio(n.read.need, n.read.have)
	}
	return ratio(n.read.have, n.read.need)
}

// trendText says what a trend found: "rising by 12 MiB a minute: memory_limit (1 GiB) in 10m, in 11m at the latest".
func (n *node) trendText() string {
	t, r, seen := n.cond.Trend, &n.read, n.state.(*trending)
	unit := n.signal().Unit
	word, sign := t.direction()
	switch {
	case !r.enough:
		return fmt.Sprintf("a trend needs %d values over %s, has %d over %s",
			minTrend, number.Setting(t.over()/2), seen.line.N, number.Setting(seen.line.Span.Round(time.Second)))
	case !(sign*seen.slowest > 0): // also when it is not a number
		return fmt.Sprintf("not certain to be %s, by the last %s", word,
			number.Setting(seen.line.Span.Round(time.Second)))
	}
	name := unit.Format(r.need)
	if t.Reach.Signal != "" {
		name = t.Reach.Signal + " (" + name + ")"
	}
	text := fmt.Sprintf("%s by %s a minute: %s ", word, unit.Format(math.Abs(seen.line.Slope)*60), name)
	left := r.need - seen.line.Level
	if sign*left <= 0 {
		return text + "is reached"
	}
	likely, latest := ahead(left/seen.line.Slope), ahead(left/seen.slowest)
	text += "in " + likely
	if latest != likely {
		text += ", in " + latest + " at the latest"
	}
	return text
}

// ahead prints a number of seconds that may be more than a time.Duration can hold.
func ahead(seconds float64) string {
	if !(seconds < 365*24*3600) {
		return "more than a year"
	}
	return number.Setting(time.Duration(seconds * float64(time.Second)).Round(time.Second))
}

// words are the test for a person: "certain to reach memory_limit within 30m, rising as in the last 10m".
func (t *Trend) words(unit vitals.Unit) string {
	word, _ := t.direction()
	reach := t.Reach.Signal
	if reach == "" {
		reach = unit.Format(t.Reach.Value)
	}
	return fmt.Sprintf("certain to reach %s within %s, %s as in the last %s", reach,
		number.Setting(time.Duration(t.Within)),
		word, number.Setting(t.over()))
}

func validateTrend(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	t := c.Trend
	path += ".trend"
	if t.Within <= 0 || time.Duration(t.Within) > maxWithin {
		fault(path+".within", "wants how soon the limit would be reached, such as \"30m\" and up to %s, not %s",
			number.Setting(maxWithin), t.Within)
	}
	if t.Over < 0 || time.Duration(t.Over) > maxTrendOver {
		fault(path+".over", "wants a window up to %s, not %s", number.Setting(maxTrendOver), t.Over)
	}
	switch {
	case t.Reach == nil:
		fault(path+".reach", "is missing; it wants a number, or the name of a signal such as \"memory_limit\"")
	case t.Reach.Signal == "":
		finite(&t.Reach.Value, path+".reach", fault)
	default:
		validateReach(c, t.Reach.Signal, path+".reach", catalog, fault)
	}
}

func validateReach(c *Condition, name, path string, catalog *vitals.Catalog, fault faultFunc) {
	id, signal := find(c.Signal, catalog)
	limitID, limit := find(name, catalog)
	switch {
	case limitID == noID:
		fault(path, "%s", unknownSignal(name, catalog))
	case id == limitID:
		fault(path, "is the signal itself")
	case id != noID && signal.Unit != limit.Unit:
		fault(path, "%s is in %s, %s in %s", name, limit.Unit, c.Signal, signal.Unit)
	}
}

// doubtful finds values that are valid but surely not intended: a share written as a percentage.
func doubtful(rules []Rule, catalog *vitals.Catalog) []fault {
	var faults []fault
	for i := range rules {
		rules[i].When.shares("when", catalog, func(field, format string, args ...any) {
			faults = append(faults, fault{i, field, fmt.Sprintf(format, args...)})
		})
	}
	return faults
}

func (c *Condition) shares(path string, catalog *vitals.Catalog, fault faultFunc) {
	_, signal := find(c.Signal, catalog)
	check := func(name string, v *float64) {
		if signal.Unit == vitals.Share && c.Of == "" && v != nil && *v > 1 {
			fault(path+"."+name, "%s is a share from 0 to 1: %g %% is %g, not %g", c.Signal, *v, *v/100, *v)
		}
	}
	for _, k := range kinds {
		if k.threshold != nil {
			check(k.name, k.threshold(c))
		}
	}
	check("min", c.Min)
	check("max", c.Max)
	for _, p := range c.parts() {
		p.cond.shares(path+"."+p.place, catalog, fault)
	}
}
