package prove

import (
	"slices"

	"github.com/gocasebook/casebook/app/stat"
)

// familyAlpha is the chance that a comparison of a server with itself names any change in any figure at any look.
const familyAlpha = 0.01

// keyWeight is the key figure's part of the error that is allowed; the others share the rest. It is what the
// measurement is for, and must not be drowned by a dozen other figures.
const keyWeight = 0.5

// A hypothesis is one figure's p, to be corrected.
type hypothesis struct {
	name string
	p    *float64
}

// hypotheses returns those of the figures that were tested.
func hypotheses(fs []*paired) []hypothesis {
	var out []hypothesis
	for _, f := range fs {
		if f.tested {
			out = append(out, hypothesis{f.spec.Name, &f.p})
		}
	}
	return out
}

// correct replaces the p-values by those of Holm's procedure with weights (1979), divided by the part of this look: one
// at or below familyAlpha is a finding of the whole sequence.
func correct(tested []hypothesis, key string, part float64) {
	hasKey := slices.ContainsFunc(tested, func(h hypothesis) bool { return h.name == key })
	ps, weights := make([]float64, len(tested)), make([]float64, len(tested))
	for i, h := range tested {
		ps[i] = *h.p
		switch {
		case !hasKey || len(tested) == 1:
			weights[i] = 1
		case h.name == key:
			weights[i] = keyWeight
		default:
			weights[i] = (1 - keyWeight) / float64(len(tested)-1)
		}
	}
	for i, p := range stat.Holm(ps, weights) {
		*tested[i].p = min(1, p/max(part, 1e-9))
	}
}
