// Package stat has the statistics that several packages need, once each: a figure must read the same in a proof, a
// gate, a comparison and on a page, and a median that is the lower of two values here and their mean there does not.
//
// What golang.org/x/perf/benchmath computes, benchstat's own summaries and tests, is taken from there.
package stat

import (
	"math"
	"slices"
)

// Median is the middle value, the mean of the two middle ones of an even number; NaN of none, and of a middle between
// +∞ and −∞. The values stay as they are.
func Median(vs []float64) float64 { return medianOf(slices.Sorted(slices.Values(vs))) }

// medianOf is the median of sorted values.
func medianOf(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	if low, high := sorted[(n-1)/2], sorted[n/2]; low != high { // two infinities are equal
		return (low + high) / 2
	}
	return sorted[n/2]
}

// Centre is the Hodges-Lehmann estimate of the centre (1963): the median of the means of all n(n+1)/2 pairs of values,
// including each value with itself. It belongs to Wilcoxon's signed-rank test. NaN of no values; pairs of +∞ and −∞
// have no mean and are left out.
func Centre(vs []float64) float64 {
	means := make([]float64, 0, len(vs)*(len(vs)+1)/2)
	for i, a := range vs {
		for _, b := range vs[i:] {
			if m := (a + b) / 2; !math.IsNaN(m) {
				means = append(means, m)
			}
		}
	}
	slices.Sort(means)
	return medianOf(means)
}

// Z95 is the normal quantile of 0.975: two-sided intervals of 95 % reach so many standard deviations to either side.
const Z95 = 1.959963984540054

// Shift is how much larger b is than a: the Hodges-Lehmann estimate (1963), the median of all len(a)·len(b)
// differences, and its 95 % interval by the normal approximation of the Mann-Whitney U statistic. inflation multiplies
// the variance of U, for values that depend on their neighbours; 1 for those that do not. With too few values for an
// interval low and high are infinite; without any on a side all three are NaN.
func Shift(a, b []float64, inflation float64) (centre, low, high float64) {
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	diffs := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			diffs = append(diffs, y-x)
		}
	}
	slices.Sort(diffs)
	n, m := float64(len(a)), float64(len(b))
	k := int(math.Floor(n*m/2 - Z95*math.Sqrt(inflation*n*m*(n+m+1)/12)))
	low, high = math.Inf(-1), math.Inf(1)
	if k >= 1 {
		low, high = diffs[k-1], diffs[len(diffs)-k]
	}
	return medianOf(diffs), low, high
}
