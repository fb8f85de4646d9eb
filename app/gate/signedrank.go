package gate

import (
	"math"
	"slices"
)

// signedRank returns the one-sided p of Wilcoxon's signed-rank test (1945) that the values are not centred above 0.
// Zeros are left out, equal sizes share their rank. It is exact up to exactRanks values, and by the normal
// approximation above.
func signedRank(vs []float64) float64 {
	sized := slices.DeleteFunc(slices.Clone(vs), func(v float64) bool { return v == 0 || math.IsNaN(v) })
	if len(sized) == 0 {
		return 1
	}
	slices.SortFunc(sized, func(a, b float64) int {
		switch a, b := math.Abs(a), math.Abs(b); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	ranks := doubledRanks(sized)
	sum := 0
	for i, v := range sized {
		if v > 0 {
			sum += ranks[i]
		}
	}
	if len(sized) > exactRanks {
		return normalTail(ranks, sum)
	}
	return exactTail(ranks, sum)
}

// exactRanks bounds the exact distribution: 2^60 orders, counted in 4,000 steps a value.
const exactRanks = 60

// doubledRanks returns twice the ranks of values sorted by size, so that shared ones are whole numbers.
func doubledRanks(sorted []float64) []int {
	ranks := make([]int, len(sorted))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && math.Abs(sorted[j]) == math.Abs(sorted[i]) {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = i + 1 + j // (first + last) of ranks i+1 … j
		}
		i = j
	}
	return ranks
}

// exactTail returns the share of all choices of signs whose positive ranks sum to at least sum.
func exactTail(ranks []int, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([]float64, total+1)
	ways[0] = 1
	for _, r := range ranks {
		for s := total; s >= r; s-- {
			ways[s] += ways[s-r]
		}
	}
	tail := 0.0
	for _, w := range ways[sum:] {
		tail += w
	}
	return tail / math.Exp2(float64(len(ranks)))
}

func normalTail(ranks []int, sum int) float64 {
	var mean, variance float64
	for _, r := range ranks {
		mean += float64(r) / 2
		variance += float64(r) * float64(r) / 4
	}
	return 0.5 * math.Erfc((float64(sum)-1-mean)/math.Sqrt(2*variance)) // 1 is half a rank, doubled: continuity
}

func logs(vs []float64) []float64 {
	out := make([]float64, len(vs))
	for i, v := range vs {
		out[i] = math.Log(v)
	}
	return out
}
