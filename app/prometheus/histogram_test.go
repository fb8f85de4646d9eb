package prometheus

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	prom "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// TestQuantileBySum compares the median of client_golang's default buckets, which begin at 5 ms, with the true one.
func TestQuantileBySum(t *testing.T) {
	for _, c := range []struct {
		name   string
		draw   func(*rand.Rand) float64 // seconds
		within float64                  // a factor
	}{
		{"0.3 ms each", func(*rand.Rand) float64 { return 0.0003 }, 1.01},
		{"exponential around 0.3 ms", func(r *rand.Rand) float64 { return 0.0003 * r.ExpFloat64() }, 1.5},
		{"exponential around 1 ms", func(r *rand.Rand) float64 { return 0.001 * r.ExpFloat64() }, 1.5},
		{"log-normal around 0.5 ms", func(r *rand.Rand) float64 { return 0.0005 * math.Exp(0.8*r.NormFloat64()) }, 1.6},
		{"evenly up to 5 ms", func(r *rand.Rand) float64 { return 0.005 * r.Float64() }, 1.05},
		{"0.3 ms, and one in 200 takes 60 ms", func(r *rand.Rand) float64 {
			if r.IntN(200) == 0 {
				return 0.06
			}
			return 0.0003
		}, 1.4},
		{"exponential around 20 ms, above the lowest bound", func(r *rand.Rand) float64 {
			return 0.02 * r.ExpFloat64()
		}, 1.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			h := prom.NewHistogram(prom.HistogramOpts{Name: "x", Buckets: prom.DefBuckets})
			all := make([]float64, 20_001)
			for i := range all {
				all[i] = c.draw(r)
				h.Observe(all[i])
			}
			slices.Sort(all)
			var m dto.Metric
			if err := h.Write(&m); err != nil {
				t.Fatal(err)
			}
			uppers, totals := bucketNumbers(m.Histogram)
			var buckets []bucket
			for i, upper := range uppers {
				buckets = append(buckets, bucket{upper, totals[i+1]})
			}
			got, want := quantileBySum(buckets, m.Histogram.GetSampleSum(), 0.5), all[len(all)/2]
			if factor := max(got/want, want/got); !(factor <= c.within) {
				t.Errorf("the median is %.3g s and read as %.3g s, %.2f times off; want up to %g (without the sum "+
					"%.3g s)",
					want, got, factor, c.within, quantile(buckets, 0.5))
			}
		})
	}
	// What the sum does not tell is interpolated as ever.
	tail := []bucket{{0.005, 60}, {0.01, 0}, {math.Inf(1), 40}}
	if got, want := quantileBySum(tail, 1e3, 0.5), quantile(tail, 0.5); got != want {
		t.Errorf("with a tail of any length: %g, want %g", got, want)
	}
	if got := quantileBySum([]bucket{{0.005, 0}, {math.Inf(1), 0}}, 0, 0.5); !math.IsNaN(got) {
		t.Errorf("of nothing: %g", got)
	}
}
