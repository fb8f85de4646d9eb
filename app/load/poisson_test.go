package load_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// TestPoissonIsOne checks what makes a Poisson process: counts in stretches of any length have their mean as variance
// and do not depend on the stretch before, and gaps are exponential. The bounds are 4.5 standard deviations.
func TestPoissonIsOne(t *testing.T) {
	const rate, seconds = 100.0, 4000
	for seed := range uint64(3) {
		at := make([]float64, 0, rate*seconds*1.1)
		pace := load.Poisson(rate, seed)
		for i := uint64(0); ; i++ {
			d, _ := pace(i)
			if d.Seconds() >= seconds {
				break
			}
			at = append(at, d.Seconds())
		}
		for _, stretch := range []float64{0.05, 0.64, 1, 20} { // 64 arrivals, a block, take 0.64 s on average
			checkCounts(t, seed, at, rate, stretch, seconds)
		}
		below := 0 // gaps below a tenth of the mean
		for i := 1; i < len(at); i++ {
			if at[i]-at[i-1] < 0.1/rate {
				below++
			}
		}
		want := 1 - math.Exp(-0.1)
		if n := float64(len(at)); math.Abs(float64(below)/n-want) > 4.5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("seed %d: %.4f of the gaps are below a tenth of the mean, want %.4f", seed, float64(below)/n, want)
		}
	}
}

// checkCounts compares the counts of stretches with those of a Poisson distribution.
func checkCounts(t *testing.T, seed uint64, at []float64, rate, stretch, seconds float64) {
	t.Helper()
	counts := make([]float64, int(seconds/stretch))
	for _, a := range at {
		if k := int(a / stretch); k < len(counts) {
			counts[k]++
		}
	}
	mean, n := rate*stretch, float64(len(counts))
	var sum, square, neighbours float64
	for k, c := range counts {
		sum += c
		square += (c - mean) * (c - mean)
		if k > 0 {
			neighbours += (c - mean) * (counts[k-1] - mean)
		}
	}
	if z := (sum/n - mean) / math.Sqrt(mean/n); math.Abs(z) > 4.5 {
		t.Errorf("seed %d: %.3f arrivals in %v s, want %.3f", seed, sum/n, stretch, mean)
	}
	// The square of a Poisson deviate has the variance 2·mean² + mean.
	if z := (square/n - mean) / math.Sqrt((2*mean*mean+mean)/n); math.Abs(z) > 4.5 {
		t.Errorf("seed %d: the counts of %v s have the variance %.3f, want %.3f", seed, stretch, square/n, mean)
	}
	if r := neighbours / square; math.Abs(r) > 4.5/math.Sqrt(n) {
		t.Errorf("seed %d: counts of %v s are correlated with those before them: %.4f", seed, stretch, r)
	}
}

// TestPoissonByNumber: an arrival does not depend on what was asked for before it, and another seed gives other
// arrivals.
func TestPoissonByNumber(t *testing.T) {
	forwards, backwards, other := load.Poisson(250, 5), load.Poisson(250, 5), load.Poisson(250, 6)
	const n = 5000
	var at [n]time.Duration
	same := 0
	for i := range uint64(n) {
		at[i], _ = forwards(i)
		if i > 0 && at[i] < at[i-1] {
			t.Fatalf("arrival %d at %v, before the one before it at %v", i, at[i], at[i-1])
		}
		if d, _ := other(i); d == at[i] {
			same++
		}
	}
	for i := uint64(n); i > 0; i-- {
		if d, _ := backwards(i - 1); d != at[i-1] {
			t.Fatalf("arrival %d at %v, and asked for from behind at %v", i-1, at[i-1], d)
		}
	}
	if same > 0 {
		t.Errorf("%d of %d arrivals of another seed are the same", same, n)
	}
	// After a year at 1,000 a second the mean is still right, to the nanosecond: nothing was added up.
	late := load.Poisson(1000, 1)
	const year = 365 * 24 * 3600 * 1000
	a, _ := late(year)
	b, _ := late(year + 100_000)
	if gap := (b - a).Seconds(); math.Abs(gap-100) > 4.5*math.Sqrt(100_000)/1000 {
		t.Errorf("100,000 arrivals after a year take %v s, want 100", gap)
	}
}

// BenchmarkPoisson is the cost of an arrival when arrivals are asked for in order.
func BenchmarkPoisson(b *testing.B) {
	b.ReportAllocs()
	pace := load.Poisson(1000, 1)
	i := uint64(0)
	for b.Loop() {
		pace(i)
		i++
	}
}
