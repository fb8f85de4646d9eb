package prove

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// minExact is how many rounds a side needs before "always the same value" is taken for a fact.
const minExact = 3

// A contrast is one figure on both sides, on its way to a verdict.
type contrast struct {
	spec          Spec
	before, after []float64
	whole         [2]float64 // over the whole run, before and after; NaN when not given
	absent        string     // why a side has no value
	margin        float64    // in the figure's unit

	tested            bool    // by the U test, not exactly
	p                 float64 // first the test's, then Holm's
	of                int     // figures tested together
	inflation         float64
	change, low, high float64 // after − before, in the figure's unit

	verdict casefile.Verdict
	note    string
}

// newContrast measures a figure; nil when neither side has it nor says why.
func newContrast(spec Spec, before, after Side, margin float64) *contrast {
	c := &contrast{
		spec: spec, p: 1, inflation: 1, verdict: casefile.CannotTell,
		before: thin(before.values(spec.Name)), after: thin(after.values(spec.Name)),
		whole: [2]float64{before.whole(spec.Name), after.whole(spec.Name)},
	}
	if len(c.before) == 0 && len(c.after) == 0 && before.Absent[spec.Name] == "" && after.Absent[spec.Name] == "" {
		return nil
	}
	c.absent = absence(before, after, spec.Name, len(c.before), len(c.after))
	if c.absent != "" {
		return c
	}
	c.margin = max(margin*math.Abs(stat(c.before).Value), spec.Floor)
	if c.exact() {
		c.change = c.after[0] - c.before[0]
		c.low, c.high = c.change, c.change
		if c.change != 0 {
			c.p = 0
		}
		return c
	}
	c.tested = true
	c.inflation = varianceInflation(c.before, c.after)
	c.p = uTest(c.before, c.after, c.inflation)
	c.change, c.low, c.high = shift(c.before, c.after, c.inflation)
	return c
}

func (s Side) whole(name string) float64 {
	if v, ok := s.Whole[name]; ok && !math.IsInf(v, 0) {
		return v
	}
	return math.NaN()
}

// absence says which side has no value and why; "" when both have.
func absence(before, after Side, name string, nBefore, nAfter int) string {
	why := func(side string, s Side, n int) string {
		if n > 0 {
			return ""
		}
		if r := s.Absent[name]; r != "" {
			return side + ": " + r
		}
		return side + ": not measured"
	}
	a, b := why("before", before, nBefore), why("after", after, nAfter)
	if a != "" && b != "" && before.Absent[name] == after.Absent[name] {
		return before.Absent[name]
	}
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}

// exact says whether both sides are constant.
func (c *contrast) exact() bool {
	return len(c.before) >= minExact && len(c.after) >= minExact && constant(c.before) && constant(c.after)
}

// judge decides by the adjusted p and the interval of the change.
func (c *contrast) judge() {
	switch {
	case c.absent != "":
		c.note = c.absent
	case c.p <= alpha && math.Abs(c.change) > c.margin:
		c.verdict = c.direction()
		c.checkWhole()
	case c.apart():
		c.verdict = c.direction()
		c.note = "few independent rounds, but the sides lie further apart than either moves: " + c.ranges()
		c.checkWhole()
	case -c.margin <= c.low && c.high <= c.margin:
		c.verdict = casefile.Same
		c.noteWhole()
	default:
		c.note = c.doubt()
		c.noteWhole()
	}
}

// apart reports whether the sides cannot be taken for each other whatever the rounds' dependence: a gap between all of
// the one and all of the other that is larger than what both move in together, and than a quarter of the value before. Figures
// that climb or fall through a whole run (heap objects between two collections) have next to no independent rounds, and
// the test alone would call a heap of 35 million objects and one of 2.5 million the same.
func (c *contrast) apart() bool {
	const (
		minRounds = 6
		share     = 0.25
	)
	if len(c.before) < minRounds || len(c.after) < minRounds {
		return false
	}
	b0, b1 := slices.Min(c.before), slices.Max(c.before)
	a0, a1 := slices.Min(c.after), slices.Max(c.after)
	gap := max(b0-a1, a0-b1)
	return gap > (b1-b0)+(a1-a0) && gap > share*math.Abs(stat(c.before).Value) && gap > c.margin
}

// ranges are the lowest and the highest round of both sides, for people.
func (c *contrast) ranges() string {
	side := func(v []float64) string {
		return c.spec.Unit.Format(slices.Min(v)) + " to " + c.spec.Unit.Format(slices.Max(v))
	}
	return side(c.before) + " before, " + side(c.after) + " after"
}

// direction is the verdict of a change that is real.
func (c *contrast) direction() casefile.Verdict {
	if (c.change < 0) == (c.spec.Better == lower) {
		return casefile.Better
	}
	return casefile.Worse
}

// doubt says why nothing can be told. Fewer rounds than could ever carry a verdict is said first: more rounds may help.
func (c *contrast) doubt() string {
	n, m := len(c.before), len(c.after)
	if c.tested && leastP(n, m)*float64(c.of) > alpha {
		return fmt.Sprintf("%s; %s cannot show a difference among %d figures: take at least %d a side",
			c.interval(), roundsText(n, m), c.of, roundsNeeded(c.of))
	}
	if c.p <= alpha {
		return fmt.Sprintf("there is a change, but it may be too small to matter: %s, with %s taken for the same",
			c.interval(), amount(c.margin, c.spec.Unit))
	}
	return c.interval() + "; more rounds would narrow it"
}

// interval is the change as a range, for people.
func (c *contrast) interval() string {
	if math.IsInf(c.low, 0) || math.IsInf(c.high, 0) {
		return "too few rounds to bound the change"
	}
	return fmt.Sprintf("the change is between %s and %s", signed(c.low, c.spec.Unit), signed(c.high, c.spec.Unit))
}

// roundsNeeded is how many rounds a side the U test needs to be able to show one difference among figures tested together.
func roundsNeeded(figures int) int {
	n := 2
	for leastP(n, n)*float64(figures) > alpha {
		n++
	}
	return n
}

// checkWhole takes a verdict back that the quantiles over the whole run contradict.
func (c *contrast) checkWhole() {
	before, after := c.whole[0], c.whole[1]
	moved := after - before
	if math.Abs(moved) > c.margin && (moved < 0) != (c.change < 0) {
		c.verdict = casefile.CannotTell
		c.note = "most windows say " + string(c.direction()) + ", but a few hold most of the slow requests"
	}
	c.noteWhole()
}

// noteWhole adds the quantiles over the whole run, which no test speaks about.
func (c *contrast) noteWhole() {
	if math.IsNaN(c.whole[0]) || math.IsNaN(c.whole[1]) {
		return
	}
	text := fmt.Sprintf("over the whole run %s → %s", c.spec.Unit.Format(c.whole[0]), c.spec.Unit.Format(c.whole[1]))
	if c.note != "" {
		text = c.note + "; " + text
	}
	c.note = text
}

// figure is the contrast as the case keeps it.
func (c *contrast) figure(key bool) casefile.Figure {
	return casefile.Figure{
		Name: c.spec.Name, Unit: string(c.spec.Unit), Better: c.spec.Better, Key: key,
		Before: stat(c.before), After: stat(c.after),
		Verdict: c.verdict, P: c.p, Note: c.note,
	}
}
