package history

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gocasebook/casebook/app/stat"
)

// Bounds of the search.
const (
	// level is the chance of any false change point in a series that does not change. Hunter (Fleming et al., "Hunter:
	// Using Change Point Detection to Hunt for Performance Regressions", ICPE 2023) takes the same.
	level = 0.001
	// weakLevel is that of a split while the search goes on: a level that rises and falls again is hard to see until
	// its parts are alone. What is found so is judged again, at the level, between its neighbours. So does Hunter.
	weakLevel = 0.05
	// permutations that are compared at the most: the smallest p is 1/(permutations+1).
	permutations = 1999
	// enough permutations at least as extreme end a test early: p is then above the level whatever the rest would say
	// (Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991).
	enough = 5
	// minSegment is how many records are between two change points at least: fewer say nothing about a level.
	minSegment = 4
	// maxRecords are looked at, the newest ones: the search takes their square.
	maxRecords = 400
	// slowLevel bounds the p of the second test, which knows that neighbours resemble each other.
	slowLevel = 0.003
)

// A Change is a change of level in a series of values.
type Change struct {
	At        int     // the first value of the new level
	Low, High int     // where it is in 90 of 100 cases
	Before    float64 // the level: medians
	After     float64
	P         float64 // of the permutation test; 0 of values that do not vary
}

// changes finds where the level of a series changes, in order.
//
// It is E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate
// Data", JASA 109, 2014), as MongoDB uses it for benchmarks (Daly et al., "The Use of Change Point Detection to Identify
// Software Performance Regressions in a Continuous Integration System", ICPE 2020): the split that maximizes the energy
// distance of both sides, tested by permutations, and then both sides again. Positive values are compared by their
// logarithms, because noise grows with the level. Values that do not vary are judged by their value.
func changes(values []float64) []Change {
	if found, ok := steps(values); ok {
		return found
	}
	scale := scaled(values)
	at := splits(scale, 0, len(scale))
	slices.Sort(at)
	at, ps := strong(scale, at)
	return described(values, scale, at, ps)
}

// splits finds the places where a part of a series may change.
func splits(x []float64, from, to int) (at []int) {
	o := newOrder(x[from:to])
	k, q := o.best(o.ranks)
	if k < 0 || o.permuted(q) > weakLevel {
		return nil
	}
	return append(append(splits(x, from, from+k), from+k), splits(x, from+k, to)...)
}

// strong takes out the places that do not hold between the two that are left beside them, the weakest first: by the
// permutation test, and then by what neighbours that resemble each other explain, because beside a place that is none
// even a sure one has too few values for that. ps are the p of the former.
func strong(x []float64, at []int) (left []int, ps map[int]float64) {
	type part struct{ from, at, to int }
	known := make(map[part][2]float64)
	for left = at; ; {
		ps = make(map[int]float64)
		worst, weakest := 1.0, -1
		for i, k := range left {
			p := part{0, k, len(x)}
			if i > 0 {
				p.from = left[i-1]
			}
			if i+1 < len(left) {
				p.to = left[i+1]
			}
			both, seen := known[p]
			if !seen {
				o := newOrder(x[p.from:p.to])
				_, q := o.best(o.ranks)
				both = [2]float64{o.permuted(q), resemblance(x[p.from:k], x[k:p.to])}
				known[p] = both
			}
			ps[k] = both[0]
			excess := both[1] / slowLevel
			if both[0] > level {
				excess = 1/slowLevel + both[0]/level // more than any of the second test
			}
			if excess > worst {
				worst, weakest = excess, i
			}
		}
		if weakest < 0 {
			return left, ps
		}
		left = slices.Delete(left, weakest, weakest+1)
	}
}

// scaled returns logarithms, or the values where one is not positive.
func scaled(values []float64) []float64 {
	if slices.Min(values) <= 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Log(v)
	}
	return out
}

// described measures the levels on both sides of each change point, and how sure its place is.
func described(values, scale []float64, at []int, ps map[int]float64) (out []Change) {
	for i, k := range at {
		from, to := 0, len(values)
		if i > 0 {
			from = at[i-1]
		}
		if i+1 < len(at) {
			to = at[i+1]
		}
		low, high := around(scale[from:to], k-from)
		out = append(out, Change{At: k, Low: from + low, High: from + high, Before: stat.Median(values[from:k]),
			After: stat.Median(values[k:to]), P: ps[k]})
	}
	return out
}

// steps finds the changes of a series whose values repeat exactly, such as allocations: a new value counts when it came
// twice in a row. ok is false for a series that varies.
func steps(values []float64) (out []Change, ok bool) {
	alone := 0
	from := 0
	for i := 1; i <= len(values); i++ {
		if i < len(values) && values[i] == values[from] {
			continue
		}
		if i-from == 1 && i < len(values) {
			alone++
		}
		if i < len(values)-1 && i-from > 1 && values[i+1] == values[i] {
			out = append(out, Change{At: i, Low: i, High: i, Before: values[from], After: values[i]})
		}
		from = i
	}
	return out, alone == 0
}

// An order is the values of a series by their ranks, so that many permutations of them can be split fast.
type order struct {
	sorted []float64
	all    []float64 // by rank: the sum of the distances to all values
	total  float64   // of all pairs
	ranks  []int     // of the values, in their order
	count  []float64 // Fenwick trees over ranks: how many of the left side, and their sum
	sum    []float64
}

func newOrder(x []float64) *order {
	o := &order{sorted: slices.Sorted(slices.Values(x)), all: make([]float64, len(x)), ranks: make([]int, len(x)),
		count: make([]float64, len(x)+1), sum: make([]float64, len(x)+1)}
	whole, below := 0.0, 0.0
	for _, v := range x {
		whole += v
	}
	n := float64(len(x))
	for r, v := range o.sorted {
		i := float64(r)
		o.all[r] = v*i - below + (whole - below - v) - v*(n-i-1)
		o.total += o.all[r] / 2
		below += v
	}
	next := make(map[float64]int) // equal values have ranks of their own
	for i, v := range x {
		r, seen := next[v]
		if !seen {
			r, _ = slices.BinarySearch(o.sorted, v)
		}
		o.ranks[i], next[v] = r, r+1
	}
	return o
}

// join adds a value to the left side, and returns the sum of its distances to those that were there.
func (o *order) join(rank int, count, sum float64) (distances float64) {
	v, below, sumBelow := o.sorted[rank], 0.0, 0.0
	for i := rank + 1; i > 0; i &= i - 1 {
		below += o.count[i]
		sumBelow += o.sum[i]
	}
	for i := rank + 1; i < len(o.count); i += i & -i {
		o.count[i]++
		o.sum[i] += v
	}
	return v*below - sumBelow + (sum - sumBelow) - v*(count-below)
}

// best returns the split with the largest statistic of Matteson and James (their equations 5 to 8, with α = 1 and κ at
// the end of the series); −1 of a series that is too short.
func (o *order) best(ranks []int) (at int, q float64) {
	clear(o.count)
	clear(o.sum)
	n, at := len(ranks), -1
	left, right, sum := 0.0, o.total, 0.0 // distances within each side; the sum of the left one
	for k := 1; k <= n-minSegment; k++ {  // the value k−1 goes to the left side
		rank := ranks[k-1]
		d := o.join(rank, float64(k-1), sum)
		left += d
		right -= o.all[rank] - d
		sum += o.sorted[rank]
		if k < minSegment {
			continue
		}
		a, b := float64(k), float64(n-k)
		energy := 2*(o.total-left-right)/(a*b) - 2*left/(a*(a-1)) - 2*right/(b*(b-1))
		if s := a * b / (a + b) * energy; at < 0 || s > q {
			at, q = k, s
		}
	}
	return at, q
}

// permuted returns the chance that the values in any other order have a split as good. The order of random numbers is
// the same for the same values, so that the answer is.
func (o *order) permuted(q float64) float64 {
	r := rand.New(rand.NewPCG(uint64(len(o.ranks)), math.Float64bits(q)))
	ranks := slices.Clone(o.ranks)
	extreme := 0
	for i := range permutations {
		r.Shuffle(len(ranks), func(a, b int) { ranks[a], ranks[b] = ranks[b], ranks[a] })
		if _, other := o.best(ranks); other >= q {
			if extreme++; extreme >= enough {
				return float64(extreme) / float64(i+1)
			}
		}
	}
	return float64(extreme+1) / (permutations + 1)
}

// resemblance returns the two-sided p of the Mann-Whitney U test by its normal approximation, whose variance is that of
// values which resemble their neighbours: (1+ρ)/(1−ρ) times as large for a first-order process. ρ is estimated from both
// sides, and corrected for its bias (Marriott and Pope, Biometrika 41, 1954). A permutation takes all orders for equally
// likely, which they are not when a machine is slow for a week.
func resemblance(a, b []float64) float64 {
	wins := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case y > x:
				wins++
			case y == x:
				wins += 0.5
			}
		}
	}
	n, m := float64(len(a)), float64(len(b))
	rho := neighbours(a, b)
	variance := n * m * (n + m + 1) / 12 * (1 + rho) / (1 - rho)
	return math.Erfc(math.Abs(wins-n*m/2) / math.Sqrt(2*variance))
}

// maxRho bounds the autocorrelation: above it a series says nothing.
const maxRho = 0.95

// neighbours is the first autocorrelation of the values around the median of their side.
func neighbours(sides ...[]float64) float64 {
	product, square, n := 0.0, 0.0, 0
	for _, side := range sides {
		middle := stat.Median(side)
		for i, v := range side {
			square += (v - middle) * (v - middle)
			if n++; i > 0 {
				product += (v - middle) * (side[i-1] - middle)
			}
		}
	}
	if square == 0 {
		return 0
	}
	rho := product / square
	rho += (1 + 3*rho) / float64(n)
	return min(max(rho, 0), maxRho)
}

// resamples of the place of a change, and how many of them the interval leaves out at each end: 5 %.
const (
	resamples = 199
	tail      = 9
)

// around returns where a change is in 90 of 100 cases: the percentiles of where it is found in series of the same two
// levels with the deviations drawn anew (Hušková and Kirch, "Bootstrapping confidence intervals for the change-point of
// time series", Journal of Time Series Analysis 29, 2008).
func around(x []float64, k int) (low, high int) {
	left, right := stat.Median(x[:k]), stat.Median(x[k:])
	deviations := make([]float64, len(x))
	for i, v := range x {
		if i < k {
			deviations[i] = v - left
		} else {
			deviations[i] = v - right
		}
	}
	r := rand.New(rand.NewPCG(uint64(len(x)), uint64(k)))
	y, found := make([]float64, len(x)), make([]int, 0, resamples)
	for range resamples {
		for i := range y {
			if y[i] = left + deviations[r.IntN(k)]; i >= k {
				y[i] = right + deviations[k+r.IntN(len(x)-k)]
			}
		}
		o := newOrder(y)
		at, _ := o.best(o.ranks)
		found = append(found, at)
	}
	slices.Sort(found)
	return min(found[tail], k), max(found[len(found)-1-tail], k)
}
