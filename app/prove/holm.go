package prove

import (
	"cmp"
	"slices"
)

// familyAlpha is the chance that a comparison of a server with itself names any change in any figure at any look.
const familyAlpha = 0.01

// keyWeight is the key figure's part of the error that is allowed; the others share the rest. It is what the measurement
// is for, and is not to be drowned by a dozen figures that are looked at beside it.
const keyWeight = 0.5

// A hypothesis is one figure's p, to be corrected.
type hypothesis struct {
	name string
	p    *float64
}

// hypotheses are those of the figures that were tested.
func hypotheses(fs []*paired) []hypothesis {
	var out []hypothesis
	for _, f := range fs {
		if f.tested {
			out = append(out, hypothesis{f.spec.Name, &f.p})
		}
	}
	return out
}

// correct replaces the p-values by those of Holm's procedure with weights (1979), divided by the part of this look: one at or
// below familyAlpha is a finding of the whole sequence.
func correct(tested []hypothesis, key string, part float64) {
	hasKey := slices.ContainsFunc(tested, func(h hypothesis) bool { return h.name == key })
	weight := func(h hypothesis) float64 {
		switch {
		case !hasKey || len(tested) == 1:
			return 1 / float64(len(tested))
		case h.name == key:
			return keyWeight
		}
		return (1 - keyWeight) / float64(len(tested)-1)
	}
	slices.SortStableFunc(tested, func(g, h hypothesis) int { return cmp.Compare(*g.p/weight(g), *h.p/weight(h)) })
	left, least := 1.0, 0.0
	for _, h := range tested {
		w := weight(h)
		least = max(least, min(1, *h.p*left/w/max(part, 1e-9)))
		left = max(left-w, 0)
		*h.p = least
	}
}
