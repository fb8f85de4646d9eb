package vitals

import (
	"math"
	"time"
)

// A Shift is the moment at which a signal went from one level to another.
type Shift struct {
	// At is the time of the first sample on the new level, counted back from the last sample of the track, and Earliest
	// and Latest bound it with 99 % confidence.
	At, Earliest, Latest time.Duration
	Up                   bool
	// Strength is the likelihood ratio of a shift against none, twice its logarithm, in independent values.
	Strength float64
}

// Limits of a Shift.
const (
	// shiftStrength: the 1 % limit for a shift at an unknown time is 13.0 if it may be anywhere but in the first and the
	// last twentieth (Andrews, "Tests for parameter instability and structural change with unknown change point: a
	// corrigendum", Econometrica 71 (2003), table 1, p = 1). Sixty signals are asked, and 20 is 1 % for all of them.
	shiftStrength = 20
	shiftRegion   = 6.63 // the 99 % quantile of chi-squared with one degree of freedom: likelihood-ratio region
	shiftEdge     = 20   // the first and the last twentieth have no shift
	shiftLeast    = 5    // values on each level
)

// Shift finds where one step fits the signal best; ok is false if no step is certain. The step is fitted to ranks, and
// the values count for as many independent ones as the memory of what the step leaves unexplained allows, so that a
// walk has none. A slow rise has its shift in the middle, with wide bounds.
func (t *Track) Shift() (s Shift, ok bool) {
	ranks, same := standardRanks(t.values)
	var at []int
	for i, v := range ranks {
		if v == v {
			at = append(at, i)
		}
	}
	n := len(at)
	edge := max(shiftLeast, n/shiftEdge)
	if n < trackValues || same > 1-2/float64(shiftEdge) {
		return s, false
	}
	total := 0.0 // ranks have mean 0, so that all of them sum up to 0
	explained := make([]float64, n)
	best := 0
	for k := 1; k < n; k++ { // the k-th is the first on the new level
		total += ranks[at[k-1]]
		if k >= edge && k <= n-edge {
			explained[k] = total * total * (1/float64(k) + 1/float64(n-k))
		}
		if explained[k] > explained[best] {
			best = k
		}
	}
	count := effectiveAround(ranks, at, best)
	rest := func(k int) float64 { return math.Max(float64(n)-explained[k], 1e-6*float64(n)) }
	if s.Strength = count * math.Log(float64(n)/rest(best)); best == 0 || s.Strength < shiftStrength {
		return s, false
	}
	first, last := best, best
	for k := range explained {
		if explained[k] > 0 && count*math.Log(rest(k)/rest(best)) <= shiftRegion {
			first, last = min(first, k), max(last, k)
		}
	}
	back := func(k int) time.Duration { return time.Duration(at[k]-len(t.values)+1) * t.Step }
	s.At, s.Latest = back(best), back(last)
	s.Earliest = time.Duration(at[first-1]+1-len(t.values)+1) * t.Step // absent ones before it may belong to either
	mean := 0.0
	for _, i := range at[best:] {
		mean += ranks[i]
	}
	s.Up = mean > 0
	return s, true
}

func squares(values []float64) (sum float64) {
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// before reports whether a shift is certainly before another one.
func (s Shift) before(other Shift) bool { return s.Latest < other.Earliest }

// effectiveAround is how many independent values the present ones count for, by what a step before the k-th leaves.
func effectiveAround(ranks []float64, at []int, k int) float64 {
	left := make([]float64, len(at))
	for _, part := range [][2]int{{0, k}, {k, len(at)}} {
		mean := 0.0
		for i := part[0]; i < part[1]; i++ {
			mean += ranks[at[i]] / float64(part[1]-part[0])
		}
		for i := part[0]; i < part[1]; i++ {
			left[i] = ranks[at[i]] - mean
		}
	}
	n := float64(len(at))
	if squares(left) < roundingShare*n { // a perfect step; the autocorrelation of rounding errors means nothing
		return n
	}
	r, _ := correlate(left, left, 1)
	return math.Max(math.Min(n*(1-r)/(1+r), n), 1)
}
