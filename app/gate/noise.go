package gate

import "math"

// twoByTwo pairs rounds that follow one another.
func twoByTwo(base []float64) []Pair {
	var out []Pair
	for i := 0; i+1 < len(base); i += 2 {
		out = append(out, Pair{base[i], base[i+1]})
	}
	return out
}

// noise compares the base with itself: the ratios of its pairs have the spread that a change of nothing has. A median of as many
// as there are rounds lies within 1.96 standard errors in 95 of 100 cases; the standard deviation is taken from the median of the
// absolute values (times 1.4826 for a normal distribution), so that one outlier does not make it.
func noise(again []Pair, rounds int) float64 {
	var spread []float64
	for _, p := range again {
		if r := math.Abs(math.Log(ratio(p.Base, p.Head))); !math.IsInf(r, 0) {
			spread = append(spread, r)
		}
	}
	if len(spread) == 0 {
		return 0
	}
	return 1.96 * 1.4826 * median(spread) / math.Sqrt(float64(rounds))
}
