package prove

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// minExact is how many rounds a side needs before "always the same value" counts as a fact.
const minExact = 3

// minTested is how many rounds a side needs for a test.
const minTested = 4

// A contrast is one figure on both sides, on its way to a verdict.
type contrast struct {
	spec          Spec
	before, after []float64
	sides         [2]casefile.Stat
	whole         [2]float64 // over the whole run, before and after; NaN if not given
	absent        string     // why a side has no value
	margin        float64    // in the figure's unit

	absolute  bool    // compared in the figure's unit, otherwise by logarithms
	rho, seen float64 // how much neighbouring rounds resemble each other at most, and as far as is seen
	effect    estimate
	collected *collection // of the collector's cycles, instead of rounds
	tested    bool        // not exactly
	p         float64     // first the test's, then Holm's

	change, low, high float64 // after − before, in the figure's unit

	verdict casefile.Verdict
	note    string
}

// newContrast measures a figure; nil if neither side has it or says why not.
func newContrast(spec Spec, before, after Side, margin float64) *contrast {
	c := &contrast{
		spec: spec, p: 1, verdict: casefile.CannotTell,
		before: downsample(before.values(spec.Name)), after: downsample(after.values(spec.Name)),
		whole: [2]float64{before.whole(spec.Name), after.whole(spec.Name)},
	}
	if len(c.before) == 0 && len(c.after) == 0 && before.Absent[spec.Name] == "" && after.Absent[spec.Name] == "" {
		return nil
	}
	c.absent = absence(before, after, spec.Name, len(c.before), len(c.after))
	c.sides = [...]casefile.Stat{medianStat(c.before), medianStat(c.after)}
	if c.absent != "" {
		return c
	}
	if spec.Name == GCCPU || spec.Name == GCRate {
		if got, ok := compareCycles(spec.Name, before.Cycles, after.Cycles); ok {
			c.collected = &got
			c.sides = got.stats()
		}
	}
	c.margin = max(margin*math.Abs(c.sides[0].Value), spec.Floor)
	c.estimate()
	return c
}

// estimate measures the change.
func (c *contrast) estimate() {
	switch {
	case c.collected != nil:
		c.effect, c.rho = c.collected.effect, c.collected.rho
		c.tested = true
	case c.exact():
		c.change = c.after[0] - c.before[0]
		c.low, c.high = c.change, c.change
		if c.change != 0 {
			c.p = 0
		}
		return
	default:
		c.absolute = slices.Min(c.before) <= 0 || slices.Min(c.after) <= 0
		a, b := c.before, c.after
		if !c.absolute {
			a, b = logs(a), logs(b)
		}
		c.rho, c.seen = resemblance(a, b)
		c.effect = difference(a, b, c.rho)
		c.tested = min(len(a), len(b)) >= minTested && !climbs(a) && !climbs(b)
	}
	low, high := c.effect.interval(confidence)
	c.change, c.low, c.high = c.inUnit(c.effect.centre), c.inUnit(low), c.inUnit(high)
	if c.collected != nil {
		_, low, high = c.collected.change()
		c.low, c.high = c.inUnit(low), c.inUnit(high)
	}
	if c.tested {
		c.p = c.effect.p()
	}
}

// inUnit returns a change in the figure's unit.
func (c *contrast) inUnit(v float64) float64 {
	if c.absolute {
		return v
	}
	return c.sides[0].Value * math.Expm1(v)
}

func (s Side) whole(name string) float64 {
	if v, ok := s.Whole[name]; ok && !math.IsInf(v, 0) {
		return v
	}
	return math.NaN()
}

// absence says which side has no value and why; "" if both have.
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
	case c.p <= familyAlpha && math.Abs(c.change) > c.margin:
		c.verdict = c.direction()
		c.checkWhole()
	case c.separated():
		c.verdict = c.direction()
		c.note = "few independent rounds, but the sides differ by more than either varies: " + c.ranges()
		c.checkWhole()
	case -c.margin <= c.low && c.high <= c.margin && c.sameInTotal():
		c.verdict = casefile.Same
		c.noteWhole()
	default:
		c.note = c.doubt()
		c.noteWhole()
	}
}

// sameInTotal reports whether the means of all rounds, those drawn in included, are the same too where a value can be
// 0: nineteen rounds without an error and one that failed are not what twenty without are.
func (c *contrast) sameInTotal() bool {
	return !c.absolute || math.Abs(locate(c.after).centre-locate(c.before).centre) <= c.margin
}

// separated reports whether the sides certainly differ whatever the rounds' dependence: a gap between nearly all of the
// one and nearly all of the other (clipped) that is larger than what both move in together, and than a quarter, by
// values or by logarithms. Figures that climb or fall through a whole run (heap objects between two collections) have
// next to no independent rounds, and the test alone would call a heap of 35 million objects and one of 2.5 million the
// same.
func (c *contrast) separated() bool {
	const (
		minRounds = 8
		whole     = 22 // rounds from which the gap need not be larger than that: fewer move less
		share     = 0.25
	)
	n := min(len(c.before), len(c.after))
	if c.collected != nil || n < minRounds || c.exact() || math.Abs(c.change) <= c.margin {
		return false
	}
	wider := max(whole/float64(n), 1)
	gap, moved := between(c.before, c.after)
	if gap > wider*moved && gap > share*math.Abs(c.sides[0].Value) && gap > c.margin {
		return true
	}
	if c.absolute {
		return false
	}
	gap, moved = between(logs(c.before), logs(c.after))
	return gap > wider*moved && gap > math.Log1p(share)
}

// between returns the gap between nearly all of a and nearly all of b, below 0 where they overlap, and the sum of their
// ranges.
func between(a, b []float64) (gap, moved float64) {
	a, _ = clip(a)
	b, _ = clip(b)
	a0, a1, b0, b1 := slices.Min(a), slices.Max(a), slices.Min(b), slices.Max(b)
	return max(b0-a1, a0-b1), (a1 - a0) + (b1 - b0)
}

// ranges returns the ranges of both sides, for people.
func (c *contrast) ranges() string {
	side := func(vs []float64) string {
		vs, _ = clip(vs)
		return c.spec.Unit.Format(slices.Min(vs)) + " to " + c.spec.Unit.Format(slices.Max(vs))
	}
	return side(c.before) + " before, " + side(c.after) + " after"
}

// direction returns the verdict of a change that is real.
func (c *contrast) direction() casefile.Verdict {
	if (c.change < 0) == (c.spec.Better == lower) {
		return casefile.Better
	}
	return casefile.Worse
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

// figure returns the contrast as the case keeps it.
func (c *contrast) figure(key bool) casefile.Figure {
	return casefile.Figure{
		Name: c.spec.Name, Unit: string(c.spec.Unit), Better: c.spec.Better, Key: key,
		Before: c.sides[0], After: c.sides[1],
		Verdict: c.verdict, P: c.p, Note: c.note,
	}
}
