package main

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A ratio is a mean of ratios and how sure it is.
type ratio struct {
	mean, half float64 // half: of the 95 % confidence interval; NaN for fewer than two
	low, high  float64 // the extremes
}

// t95 are the two-sided 95 % quantiles of Student's t for 1, 2, 3 … degrees of freedom; beyond, 2.0 is near enough.
var t95 = [...]float64{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13}

// summarize takes the ratios of blocks. They are of independent processes, so their spread is the whole of it.
func summarize(vs []float64) ratio {
	r := ratio{mean: math.NaN(), half: math.NaN(), low: math.NaN(), high: math.NaN()}
	n := float64(len(vs))
	if n == 0 {
		return r
	}
	sum, squares := 0.0, 0.0
	for _, v := range vs {
		sum += v
	}
	r.mean, r.low, r.high = sum/n, slices.Min(vs), slices.Max(vs)
	if n < 2 {
		return r
	}
	for _, v := range vs {
		squares += (v - r.mean) * (v - r.mean)
	}
	t := 2.0
	if int(n)-2 < len(t95) {
		t = t95[int(n)-2]
	}
	r.half = t * math.Sqrt(squares/(n-1)/n)
	return r
}

// percent is the ratio as what it adds: "+1.2 % ± 0.4".
func (r ratio) percent() string {
	if math.IsNaN(r.half) {
		return fmt.Sprintf("%+.1f %%", 100*(r.mean-1))
	}
	return fmt.Sprintf("%+.1f %% ± %.1f", 100*(r.mean-1), 100*r.half)
}

// span is the extremes: "-0.3 … +2.1".
func (r ratio) span() string {
	return fmt.Sprintf("%+.1f … %+.1f", 100*(r.low-1), 100*(r.high-1))
}

func median[T float64 | int | int64 | time.Duration](vs []T) T {
	if len(vs) == 0 {
		var none T
		return none
	}
	sorted := slices.Sorted(slices.Values(vs))
	return sorted[len(sorted)/2]
}
