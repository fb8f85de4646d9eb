package vitals

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// absent is n values that are absent.
func absent(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// present is how many values are.
func present(values []float64) (n int) {
	for _, v := range values {
		if v == v {
			n++
		}
	}
	return n
}

// usualStep is the median time between two samples; 0 of fewer than two.
func usualStep(samples []Sample) time.Duration {
	var steps []time.Duration
	for i := 1; i < len(samples); i++ {
		if d := samples[i].Time.Sub(samples[i-1].Time); d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// standardRanks replaces values by their ranks, of which equal ones share the mean, with mean 0 and variance 1. same is
// the share of the most frequent value.
func standardRanks(values []float64) (ranks []float64, same float64) {
	var order []int
	for i, v := range values {
		if v == v {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks = absent(len(values))
	n := float64(len(order))
	squares := 0.0
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		rank := float64(from+to-1)/2 - (n-1)/2
		for _, i := range order[from:to] {
			ranks[i] = rank
		}
		squares += rank * rank * float64(to-from)
		same = math.Max(same, float64(to-from)/n)
		from = to
	}
	if squares == 0 {
		return ranks, 1
	}
	for _, i := range order {
		ranks[i] /= math.Sqrt(squares / n)
	}
	return ranks, same
}

// FitLine is the Line through values at times, which are in seconds and ascend; both have the same length. It is for
// values that are no samples, such as the lows of stretches of time, and allocates nothing.
func FitLine(times, values []float64) Line {
	n := len(values)
	l := Line{N: n}
	if n < 3 {
		return l
	}
	// Times are relative to the last one and values to its value, which keeps the sums small.
	last, end := times[n-1], values[n-1]
	l.Span = time.Duration((last - times[0]) * float64(time.Second))
	var st, sv, stt, stv, svv float64
	for i := range values {
		t, v := times[i]-last, values[i]-end
		st, sv, stt, stv, svv = st+t, sv+v, stt+t*t, stv+t*v, svv+v*v
	}
	count := float64(n)
	if stt -= st * st / count; stt <= 0 {
		return l
	}
	l.Slope = (stv - st*sv/count) / stt
	level := (sv - l.Slope*st) / count
	l.Level = end + level
	var sse, lagged, before float64
	for i := range values {
		e := values[i] - end - level - l.Slope*(times[i]-last)
		sse += e * e
		lagged += e * before
		before = e
	}
	l.doubt(sse, lagged, svv, stt)
	return l
}
