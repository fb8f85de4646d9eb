package middleware

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketError(t *testing.T) {
	const limit = 1.0 / 32
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 200_000 {
		ns := math.Exp(rng.Float64()*math.Log(float64(time.Hour)/1e3)) * 1e3 // 1 µs to 1 h, evenly on a log scale
		got := middle(bucketOf(int64(ns))) * 1e9
		worst = max(worst, math.Abs(got-ns)/ns)
	}
	// Values are cut to whole nanoseconds, which is 0.1 % of 1 µs.
	if worst > limit+0.001 {
		t.Errorf("the worst relative error is %.4f, want at most %.4f", worst, limit)
	}
	t.Logf("worst relative error %.4f", worst)
}

func TestBucketOfEdges(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want int
	}{
		{math.MinInt64, 0}, {0, 0}, {511, 0}, {512, 0}, {544, 1}, {1023, 15}, {1024, 16},
		{1<<42 - 1, numBuckets - 1}, {1 << 42, numBuckets - 1}, {math.MaxInt64, numBuckets - 1},
	} {
		if got := bucketOf(c.ns); got != c.want {
			t.Errorf("bucketOf(%d) = %d, want %d", c.ns, got, c.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 99, 100, 101, 5000} {
		var counts [numBuckets]uint64
		values := make([]float64, n)
		for i := range values {
			ns := int64(1e6 * math.Exp(rng.NormFloat64()*2))
			values[i] = float64(ns) / 1e9
			counts[bucketOf(ns)]++
		}
		slices.Sort(values)
		for _, q := range []float64{0, 0.5, 0.99, 1} {
			want := values[max(int(math.Ceil(q*float64(n))), 1)-1]
			if got := quantile(&counts, q); math.Abs(got-want)/want > 0.033 {
				t.Errorf("quantile %g of %d = %g, want %g to 3.3 %%", q, n, got, want)
			}
		}
	}
	if got := quantile(new([numBuckets]uint64), 0.99); !math.IsNaN(got) {
		t.Errorf("quantile of nothing = %g, want NaN", got)
	}
}
