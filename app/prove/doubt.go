package prove

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/internal/number"
)

// alike is the autocorrelation from which a note says that the rounds resemble each other: they say half as much
// then.
const alike = 1. / 3

// doubt says why it cannot tell, and what would help.
func (c *contrast) doubt() string {
	n := min(len(c.before), len(c.after))
	switch {
	case c.collected != nil:
		return c.collected.doubt()
	case n < minTested:
		return fmt.Sprintf("%s cannot show a change: take at least %d per side",
			roundsText(len(c.before), len(c.after)), minTested)
	case !c.tested:
		return "it rises or falls through the whole run, and the sides do not differ enough; measure until the trend " +
			"ends"
	case c.p <= familyAlpha:
		return fmt.Sprintf("there is a change, but it may be too small to matter: %s, and %s counts as the same",
			c.interval(), amount(c.margin, c.spec.Unit))
	}
	text := fmt.Sprintf("%s; less than %s cannot be shown with %s",
		c.interval(), c.least(), roundsText(len(c.before), len(c.after)))
	if c.seen >= alike {
		text += fmt.Sprintf(" that resemble each other and say as much as %.0f", math.Ceil(independent(n, c.rho)))
	}
	return text + "; " + c.more(n)
}

// needed returns the half of the interval that a verdict takes, in the scale of the estimate: at the first of Holm's
// steps.
func (c *contrast) needed() float64 { return c.effect.half(1 - familyAlpha/2) }

// least returns the smallest change that the rounds could have shown.
func (c *contrast) least() string {
	if c.absolute {
		return amount(max(c.needed(), c.margin), c.spec.Unit)
	}
	return "×" + number.Digits(max(math.Exp(c.needed()), 1+c.margin/math.Abs(c.sides[0].Value)))
}

// most is the largest number of rounds that is worth suggesting.
const most = 10_000

// more says how many rounds would show it: the change that was seen where it is above the margin, else that it is the
// same. The error falls with the root of their number.
func (c *contrast) more(n int) string {
	what, want := "a change of this size", math.Abs(c.effect.centre)
	if math.Abs(c.change) <= c.margin {
		what, want = "that it is the same", c.margin-math.Abs(c.change)
		if !c.absolute {
			want = math.Log1p(want / math.Abs(c.sides[0].Value))
		}
	}
	rounds := math.Ceil(float64(n) * math.Pow(c.needed()/want, 2))
	if !(rounds < most) {
		return fmt.Sprintf("even %d per side would not show %s", most, what)
	}
	return fmt.Sprintf("about %.0f per side would show %s", max(roundUp(rounds), float64(n)+1), what)
}

// roundUp to two digits: an estimate has no more.
func roundUp(v float64) float64 {
	step := math.Pow(10, max(math.Floor(math.Log10(v))-1, 0))
	return math.Ceil(v/step) * step
}

// interval returns the change as a range, for people.
func (c *contrast) interval() string {
	if math.IsInf(c.low, 0) || math.IsInf(c.high, 0) || math.IsNaN(c.low) || math.IsNaN(c.high) {
		return "too few rounds to bound the change"
	}
	return fmt.Sprintf("the change is between %s and %s", signed(c.low, c.spec.Unit), signed(c.high, c.spec.Unit))
}
