package prove

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/gocasebook/casebook/casefile"
)

// confidence of every interval, stat.Shift's too.
const confidence = 0.95

// maxRounds bounds the pairwise differences of a shift: 1 million, 8 MB, a tenth of a second. Longer lists are
// downsampled evenly.
const maxRounds = 1000

// downsample returns at most maxRounds values, evenly taken, in their order.
func downsample(vs []float64) []float64 {
	if len(vs) <= maxRounds {
		return vs
	}
	out := make([]float64, maxRounds)
	for i := range out {
		out[i] = vs[i*len(vs)/maxRounds]
	}
	return out
}

// medianStat returns one side's median and its interval. Below six rounds no interval of the median reaches 95 %: then
// it is the smallest and the largest round.
func medianStat(vs []float64) casefile.Stat {
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
