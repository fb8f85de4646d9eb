package prove

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// An estimate is the location of a sample with its standard error, by Student's t.
type estimate struct {
	n          int
	centre, se float64
	free       float64 // degrees of freedom
}

// locate estimates by the mean.
func locate(vs []float64) estimate {
	e := estimate{n: len(vs)}
	if e.n == 0 {
		return e
	}
	for _, v := range vs {
		e.centre += v / float64(e.n)
	}
	var square float64
	for _, v := range vs {
		square += (v - e.centre) * (v - e.centre)
	}
	e.free = float64(e.n - 1)
	if e.n > 1 {
		e.se = math.Sqrt(square / e.free / float64(e.n))
	}
	return e
}

// p returns the two-sided p of the test that the location is 0.
func (e estimate) p() float64 {
	switch {
	case e.n < 2:
		return 1
	case e.se == 0 && e.centre == 0:
		return 1
	case e.se == 0:
		return 0
	}
	// 0 would mean that there is no estimate
	return max(min(1, 2*stats.TDist{V: e.free}.CDF(-math.Abs(e.centre)/e.se)), math.SmallestNonzeroFloat64)
}

// interval returns the confidence interval of the location; infinite for fewer than two values.
func (e estimate) interval(confidence float64) (low, high float64) {
	if e.n < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	half := e.half(confidence)
	return e.centre - half, e.centre + half
}

// half returns half the width of that interval.
func (e estimate) half(confidence float64) float64 {
	if e.n < 2 {
		return math.Inf(1)
	}
	if e.se == 0 || math.IsInf(e.se, 1) {
		return e.se
	}
	return e.se * stats.InvCDF(stats.TDist{V: e.free})((1+confidence)/2)
}
