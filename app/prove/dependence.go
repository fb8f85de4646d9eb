package prove

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/stat"
)

// maxRho is the most that neighbouring rounds are taken to resemble each other. Figures beyond it climb or fall through
// the whole run, and are decided by contrast.separated or not at all.
const maxRho = 0.95

// boundZ is how many standard errors above its estimate the autocorrelation is taken to be. A run's own estimate is too
// low half of the time, and a test that believes it finds changes if there are none: `make bench-rounds` simulates it.
const boundZ = 3

// resemblance returns how much neighbouring rounds of both sides resemble each other at most: the lag-1 autocorrelation
// of each side, pooled, plus boundZ of its standard errors at that bound. Sides that are constant have none and do not
// count. It is 0 to maxRho, and maxRho where there are too few rounds to know. seen is the estimate itself.
func resemblance(sides ...[]float64) (bound, seen float64) {
	var sum, rounds, unbiased float64
	for _, vs := range sides {
		if len(vs) == 0 || constant(vs) {
			continue
		}
		rho := max(lag1(vs), lag1(calmed(vs)))
		if math.IsNaN(rho) {
			return maxRho, 0
		}
		n := float64(len(vs))
		sum, rounds, unbiased = sum+n*rho, rounds+n, unbiased+n*n/(n-4)
	}
	if rounds == 0 {
		return 0, 0
	}
	seen = min(max(sum/rounds, 0), maxRho)
	bound = seen
	for range 20 {
		bound = min(seen+boundZ*rhoError(bound, rounds, unbiased/rounds), maxRho)
	}
	return bound, seen
}

// rhoError returns the standard error of the autocorrelation of so many rounds. At 0 it is 1/√N (Bartlett 1946), times
// what the correction of the bias multiplies by; it falls towards 1, of short series as √(1−ρ²/2) (simulated; 1−ρ² for
// long ones).
func rhoError(rho, rounds, unbiased float64) float64 {
	return unbiased * math.Sqrt((1-rho*rho/2)/rounds)
}

// calmed returns a series without the rounds furthest from its median, as many as level draws in: a round in which the
// machine stalled hides how much its neighbours resemble each other.
func calmed(vs []float64) []float64 {
	g := clipped(len(vs))
	if len(vs)-g < minLag1 {
		return vs
	}
	centre := stat.Median(vs)
	far := make([]float64, len(vs))
	for i, v := range vs {
		far[i] = math.Abs(v - centre)
	}
	limit := slices.Sorted(slices.Values(far))[len(vs)-1-g]
	return slices.DeleteFunc(slices.Clone(vs), func(v float64) bool { return math.Abs(v-centre) > limit })
}

// minLag1 is how many rounds a lag-1 autocorrelation takes at least.
const minLag1 = 6

// lag1 returns the lag-1 autocorrelation of the ranks of a series, so that one outlier does not make it, without the
// bias −(1+4ρ)/n that short series have (Kendall 1954; Marriott and Pope 1954); NaN for a series that is shorter than
// minLag1.
func lag1(vs []float64) float64 {
	n := float64(len(vs))
	if n < minLag1 {
		return math.NaN()
	}
	r := ranks(vs)
	mean := (n - 1) / 2
	var num, den float64
	for i, x := range r {
		den += (x - mean) * (x - mean)
		if i > 0 {
			num += (x - mean) * (r[i-1] - mean)
		}
	}
	if den == 0 {
		return 0
	}
	return (n*num/den + 1) / (n - 4)
}

// ranks returns the positions of the values in sorted order, from 0; equal values share the mean of theirs.
func ranks(vs []float64) []float64 {
	sorted := slices.Sorted(slices.Values(vs))
	out := make([]float64, len(vs))
	for i, v := range vs {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last+1 < len(sorted) && sorted[last+1] == v {
			last++
		}
		out[i] = float64(first+last) / 2
	}
	return out
}

// constant says whether there are values and all are equal.
func constant(vs []float64) bool {
	return len(vs) > 0 && slices.Min(vs) == slices.Max(vs)
}

// independent returns how many independent rounds say as much about the mean as n that resemble each other by rho.
func independent(n int, rho float64) float64 {
	return max((float64(n)-float64(n-2)*rho)/(1+rho), 1)
}

// climbs reports whether a series rises or falls through nearly all of the run: its ranks follow time with a
// correlation above 0.9. No stationary process describes it, or what it does next.
func climbs(vs []float64) bool {
	n := float64(len(vs))
	if n < minLag1 || constant(vs) {
		return false
	}
	var cov, rankVar, timeVar float64
	mean := (n - 1) / 2
	for i, r := range ranks(vs) {
		t := float64(i) - mean
		cov, rankVar, timeVar = cov+t*(r-mean), rankVar+(r-mean)*(r-mean), timeVar+t*t
	}
	return math.Abs(cov) > 0.9*math.Sqrt(rankVar*timeVar)
}
