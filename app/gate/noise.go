package gate

import (
	"math"

	"github.com/gocasebook/casebook/app/stat"
)

// twoByTwo pairs rounds that follow one another.
func twoByTwo(base []float64) []Pair {
	var out []Pair
	for i := 0; i+1 < len(base); i += 2 {
		out = append(out, Pair{base[i], base[i+1]})
	}
	return out
}

// noise returns how far from 0 a change of nothing is in 95 of 100 cases: what the base shows against itself (again),
// over as many rounds. share is the standard deviation of a round's change in that of the pairs of again. The standard
// deviation is taken from the median of the absolute values (times 1.4826 for a normal distribution), so that one
// outlier does not make it.
func noise(again []Pair, rounds int, share float64) float64 {
	var spread []float64
	for _, p := range again {
		if r := math.Abs(math.Log(ratio(p.Base, p.Head))); !math.IsInf(r, 0) {
			spread = append(spread, r)
		}
	}
	if len(spread) == 0 {
		return 0
	}
	return 1.96 * 1.4826 * share * stat.Median(spread) / math.Sqrt(float64(rounds))
}

// Shares for noise. A pair of rounds of the base has the variance of two processes, and so has a pair of base and head.
// The two starts of the base in a block have it too, but the head is compared with their mean: 1.5 processes of 2.
const (
	ofPairs  = 1
	ofBlocks = 0.8660254037844386 // √(3/4)
)
