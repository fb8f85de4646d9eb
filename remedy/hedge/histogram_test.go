package hedge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBucketsHoldWhatTheySay(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, 1023, 1024, 1025, 1087, 1088, 2047, 2048, time.Millisecond,
		3*time.Second + 7,
		137 * time.Second, time.Hour, math.MaxInt64} {
		b := bucketOf(d)
		v := float64(min(max(d, 1<<lowest), 1<<highest-1))
		if v < bound(b) || v >= bound(b+1) {
			t.Errorf("%v is in bucket %d, which is from %v to %v ns", d, b, bound(b), bound(b+1))
		}
	}
	for b := range buckets {
		if width := bound(b+1)/bound(b) - 1; width <= 0 || width > 1.0/perTwo+1e-9 {
			t.Errorf("bucket %d is wider than 1/%d of its bound: %.4f", b, perTwo, width)
		}
	}
}

func TestQuantilesOfStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	streams := map[string]func() time.Duration{
		"uniform":    func() time.Duration { return time.Duration(1+rng.IntN(100_000)) * time.Microsecond },
		"log-normal": func() time.Duration { return time.Duration(math.Exp(rng.NormFloat64()+14) * 1) },
		"one in 100 slow": func() time.Duration {
			if rng.IntN(100) == 0 {
				return 200 * time.Millisecond
			}
			return 2*time.Millisecond + time.Duration(rng.IntN(1_000_000))
		},
	}
	for name, next := range streams {
		t.Run(name, func(t *testing.T) {
			var h histogram
			all := make([]time.Duration, 20_000)
			for i := range all {
				all[i] = next()
				h.add(all[i])
			}
			slices.Sort(all)
			for halvings := range 4 {
				for _, q := range []float64{0.5, 0.9, 0.95, 0.98} {
					want := all[int(q*float64(len(all)))]
					got := h.quantile(q)
					if off := math.Abs(float64(got-want)) / float64(want); off > 1.0/perTwo {
						t.Errorf("after %d halvings: p%g is %v, want %v: %.1f %% off", halvings, 100*q, got, want,
							100*off)
					}
				}
				h.halve()
			}
		})
	}
}

// TestHalvingKeepsASparseTail: a tail with one latency per bucket must not vanish when each bucket is rounded.
func TestHalvingKeepsASparseTail(t *testing.T) {
	var h histogram
	for range 180 {
		h.add(time.Millisecond)
	}
	for i := range 20 {
		h.add(10 * time.Millisecond << (i / 4) * time.Duration(16+4*(i%4)) / 16)
	}
	before := h.quantile(0.95)
	h.halve()
	if h.total() != 100 {
		t.Errorf("200 latencies weigh %d after halving, want 100", h.total())
	}
	if after := h.quantile(0.95); after < before/2 || after > before*2 {
		t.Errorf("p95 was %v and is %v after halving", before, after)
	}
}

func TestEmptyHistogram(t *testing.T) {
	var h histogram
	if got := h.quantile(0.95); got != 0 {
		t.Errorf("p95 of nothing is %v, want 0", got)
	}
	h.halve()
	if h.total() != 0 {
		t.Errorf("halving nothing gave %d", h.total())
	}
}
