package stat

import (
	"cmp"
	"slices"
)

// Holm corrects the p-values of a family of tests by Holm's procedure (1979), with weights that say which share of the
// family's error each test may use: one at or below the level after the correction is a finding, and the chance of any
// false one stays at that level. The weights need not add up to 1; nil is equal weights. The answer is in the order of
// ps, which stay as they are.
func Holm(ps, weights []float64) []float64 {
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	order, left := make([]int, len(ps)), 0.0
	for i := range ps {
		order[i] = i
		left += weight(i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i]/weight(i), ps[j]/weight(j)) })
	out, least := make([]float64, len(ps)), 0.0
	for _, i := range order {
		least = max(least, min(1, ps[i]*left/weight(i)))
		out[i] = least
		left = max(left-weight(i), 0)
	}
	return out
}
