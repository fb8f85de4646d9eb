package prove

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/gocasebook/casebook/casefile"
)

// confidence of every interval.
const (
	confidence = 0.95
	z95        = 1.959963984540054 // the normal quantile of (1 + confidence)/2
)

// maxRounds bounds the pairwise differences of a shift: 1 million, 8 MB, a tenth of a second. Longer lists are thinned
// evenly.
const maxRounds = 1000

// thin returns at most maxRounds values, evenly taken, in their order.
func thin(vs []float64) []float64 {
	if len(vs) <= maxRounds {
		return vs
	}
	out := make([]float64, maxRounds)
	for i := range out {
		out[i] = vs[i*len(vs)/maxRounds]
	}
	return out
}

// stat is one side's median and its interval. Below six rounds no interval of the median reaches 95 %: the smallest and
// the largest round stand in.
func stat(vs []float64) casefile.Stat {
	if len(vs) == 0 {
		return casefile.Stat{}
	}
	s := sample(vs)
	sum := benchmath.AssumeNothing.Summary(s, confidence)
	lo, hi := sum.Lo, sum.Hi
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		lo, hi = s.Values[0], s.Values[len(s.Values)-1]
	}
	return casefile.Stat{Value: sum.Center, Low: lo, High: hi, N: len(vs)}
}

// sample copies the values, because benchmath sorts them in place.
func sample(vs []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(vs), &benchmath.DefaultThresholds)
}

// shift is how much larger b is than a: the median of all pairwise differences (Hodges and Lehmann 1963) and its 95 %
// interval, by the normal approximation of the U statistic with its variance multiplied by inflation. Without enough
// values for an interval low and high are infinite.
func shift(a, b []float64, inflation float64) (centre, low, high float64) {
	diffs := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			diffs = append(diffs, y-x)
		}
	}
	slices.Sort(diffs)
	n, m := float64(len(a)), float64(len(b))
	k := int(math.Floor(n*m/2 - z95*math.Sqrt(inflation*n*m*(n+m+1)/12)))
	low, high = math.Inf(-1), math.Inf(1)
	if k >= 1 {
		low, high = diffs[k-1], diffs[len(diffs)-k]
	}
	mid := len(diffs) / 2
	if len(diffs)%2 == 1 {
		return diffs[mid], low, high
	}
	return (diffs[mid-1] + diffs[mid]) / 2, low, high
}
