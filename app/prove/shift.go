package prove

import (
	"math"

	"github.com/gocasebook/casebook/app/stat"
)

// Ratio returns how many times larger after is than before: the exponential of the Hodges–Lehmann shift of the
// logarithms, with its 95 % interval, for values that do not depend on each other. Too few values give an interval from
// 0 to infinity. It is NaN when a value is not above 0, or when a side has none: there is no logarithm.
func Ratio(before, after []float64) (centre, low, high float64) {
	a, b := logs(downsample(before)), logs(downsample(after))
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	centre, low, high = stat.Shift(a, b, 1)
	return math.Exp(centre), math.Exp(low), math.Exp(high)
}

// logs returns the natural logarithms of the values; nil if one is not above 0, or not finite.
func logs(vs []float64) []float64 {
	out := make([]float64, len(vs))
	for i, v := range vs {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil
		}
		out[i] = math.Log(v)
	}
	return out
}
