package phones

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
)

func TestLatencyDistribution(t *testing.T) {
	const n = 200_000
	l, err := newLatency(5*time.Millisecond, 40*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	drawn := make([]time.Duration, n)
	for i := range drawn {
		drawn[i] = l.at(draw.Unit(rng.Uint64()))
	}
	slices.Sort(drawn)
	for _, tt := range []struct {
		q    float64
		want time.Duration
	}{{0.5, 5 * time.Millisecond}, {0.99, 40 * time.Millisecond}} {
		if got := drawn[int(tt.q*n)]; math.Abs(float64(got-tt.want)) > 0.05*float64(tt.want) {
			t.Errorf("the %v-quantile of %d draws is %v, want %v within 5 %%", tt.q, n, got, tt.want)
		}
	}
	if drawn[0] <= 0 || drawn[n-1] > 300*time.Millisecond*2 {
		t.Errorf("draws reach from %v to %v", drawn[0], drawn[n-1])
	}
}

func TestLatencyEdges(t *testing.T) {
	for _, tt := range []struct {
		name        string
		median, p99 time.Duration
		ok          bool
		want        time.Duration // of any draw, when it is constant
	}{
		{"none", 0, 0, true, 0},
		{"constant", 3 * time.Millisecond, 3 * time.Millisecond, true, 3 * time.Millisecond},
		{"p99 below the median", 2, 1, false, 0},
		{"negative", -1, 1, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := newLatency(tt.median, tt.p99)
			if (err == nil) != tt.ok {
				t.Fatalf("newLatency(%v, %v): %v", tt.median, tt.p99, err)
			}
			for _, h := range []uint64{0, 1 << 62, math.MaxUint64} {
				if got := l.at(draw.Unit(h)); got != tt.want {
					t.Errorf("at(%v) = %v, want %v", draw.Unit(h), got, tt.want)
				}
			}
		})
	}
}

func TestBackendDraws(t *testing.T) {
	l, err := newLatency(5*time.Millisecond, 40*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	one, two, other := &backend{latency: l, errorRate: 0.1, seed: 1}, &backend{latency: l, errorRate: 0.1, seed: 1},
		&backend{latency: l, seed: 2}
	failed, differ := 0, 0
	for range n {
		wait, fail := one.next()
		if again, failAgain := two.next(); again != wait || failAgain != fail {
			t.Fatal("the same seed drew something else")
		}
		if elsewhere, _ := other.next(); elsewhere != wait {
			differ++
		}
		if fail {
			failed++
		}
	}
	if share := float64(failed) / n; share < 0.09 || share > 0.11 {
		t.Errorf("%.3f of the calls fail, want 0.1", share)
	}
	if differ < n*9/10 {
		t.Errorf("another seed drew %d of %d times the same", n-differ, n)
	}
}
