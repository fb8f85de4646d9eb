package prove

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/gocasebook/casebook/casefile"
)

// confidence of every interval, and alpha of every test.
const (
	confidence = 0.95
	alpha      = 1 - confidence
	z95        = 1.959963984540054 // the normal quantile of 1 − alpha/2
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

// uTest is the two-sided p of the Mann–Whitney U test, with the variance of U multiplied by inflation (1 or more): p is
// turned into the normal deviate it stands for, which is shrunk by the root of it. What is left is read as Student's t with as
// many degrees of freedom as independent values would have, by the approximation 26.7.8 of Abramowitz and Stegun. Lists
// that are all equal give 1.
func uTest(a, b []float64, inflation float64) float64 {
	p := benchmath.AssumeNothing.Compare(sample(a), sample(b)).P
	p = max(p, leastP(len(a), len(b))) // the normal approximation of many rounds goes below it, to 0
	if inflation <= 1 || p >= 1 {
		return min(p, 1)
	}
	t := deviate(p) / math.Sqrt(inflation)
	free := max(float64(len(a)+len(b))/inflation-2, 1)
	z := t * (1 - 1/(4*free)) / math.Sqrt(1+t*t/(2*free))
	return max(p, math.Erfc(z/math.Sqrt2))
}

// deviate is the normal deviate with the two-sided tail p, by bisection: math.Erfcinv is infinite below 1e-16.
func deviate(p float64) float64 {
	low, high := 0.0, 39.0 // math.Erfc(39/√2) is 0
	for range 60 {
		mid := (low + high) / 2
		if math.Erfc(mid/math.Sqrt2) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// leastP is the smallest p that a U test of n and m values can give: 2 over the number of ways to order them.
func leastP(n, m int) float64 {
	lg := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	return 2 * math.Exp(lg(n)+lg(m)-lg(n+m))
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

// varianceInflation is (1+ρ)/(1−ρ), by how much the variance of a mean exceeds that of independent values when each
// resembles the one before with correlation ρ (Bartlett 1946, for a first-order process). ρ is estimated on ranks, so
// that one outlier does not make it, from both sides; negative ones count as 0 and it is capped at 0.9.
func varianceInflation(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	rho := (n*lag1(a) + m*lag1(b)) / (n + m)
	rho = min(max(rho, 0), 0.9)
	return (1 + rho) / (1 - rho)
}

// lag1 is the lag-1 autocorrelation of the ranks of a series, without the bias −(1+4ρ)/n that short series have
// (Kendall 1954; Marriott and Pope 1954); 0 for a series that is constant or shorter than 6.
func lag1(vs []float64) float64 {
	n := float64(len(vs))
	if n < 6 {
		return 0
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

// ranks are the positions of the values in sorted order, from 0; equal values share the mean of theirs.
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

// adjustHolm replaces the p-values of the contrasts that were tested by Holm's (1979): the chance that any of them is this
// small when nothing differs is at most the adjusted p.
func adjustHolm(cs []*contrast) {
	var tested []*contrast
	for _, c := range cs {
		if c.tested {
			tested = append(tested, c)
		}
	}
	slices.SortStableFunc(tested, func(a, b *contrast) int {
		switch {
		case a.p < b.p:
			return -1
		case a.p > b.p:
			return 1
		}
		return 0
	})
	least := 0.0
	for i, c := range tested {
		c.of = len(tested)
		least = max(least, min(1, c.p*float64(len(tested)-i)))
		c.p = least
	}
}
