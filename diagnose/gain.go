package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// widestGain is how many times the low end the high end of a promise may be: "10–60 %" does not tell anybody whether
// the change is worth making, and is right whatever comes.
const widestGain = 3.0

// unknownGains makes promises that are wider than that unknown: both ends are 0, and the arithmetic keeps them. It
// comes after findings were related, which compares what they could give back at most.
func unknownGains(fs []casefile.Finding) {
	for i := range fs {
		g := &fs[i].Impact.Gain
		if g.High <= 0 || g.High <= widestGain*g.Low+gainStep {
			continue
		}
		said := fmt.Sprintf("between %s and %s, too far apart to promise", number.Share(g.Low), number.Share(g.High))
		if g.Low <= 0 {
			said = "at most " + number.Share(g.High)
		}
		*g = casefile.Gain{Arithmetic: said + ": " + g.Arithmetic}
	}
}

// gainStep is what rounding (roundShare) may add to a range of three.
const gainStep = 0.0005

// withinCost keeps a gain within the cost. For some kinds, the lab has measured that a remedy also saves hidden costs
// (the scheduler, caches, the collector), up to twice the visible cost. But nobody believes "takes 44 %, saves 53 %".
func withinCost(i casefile.Impact) casefile.Impact {
	if i.Gain.High <= i.Share {
		return i
	}
	i.Gain.Low, i.Gain.High = min(i.Gain.Low, i.Share), i.Share
	i.Gain.Arithmetic += "; the gain cannot exceed the cost"
	return i
}
