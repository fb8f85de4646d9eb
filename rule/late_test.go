package rule

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestAtLeast compares with sums of the binomial distribution by hand.
func TestAtLeast(t *testing.T) {
	for _, tt := range []struct{ k, n, chance, want float64 }{
		{2, 3, 0.5, 0.5}, {3, 3, 0.5, 0.125}, {1, 4, 0.1, 1 - 0.9*0.9*0.9*0.9}, {0, 4, 0.1, 1}, {3, 9, 1, 1},
		{12, 12, 0.1, 1e-12},
	} {
		if got := atLeast(tt.k, tt.n, tt.chance); math.Abs(got-tt.want) > 1e-9*tt.want {
			t.Errorf("%v: %g", tt, got)
		}
	}
}

// TestLateAllocatesNothing: a rule on few requests is judged with each sample.
func TestLateAllocatesNothing(t *testing.T) {
	e, err := NewEngine([]Rule{{Name: "late", When: Condition{Signal: "http_latency_p50",
		Late: &Late{Times: 3, Least: Duration(100 * time.Millisecond)}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, i := vitals.NewHistory(2), 0
	var s vitals.Sample
	if n := testing.AllocsPerRun(100, func() {
		s = vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.HTTPRate, 5)
		s.Set(vitals.HTTPInFlight, 1)
		s.Set(vitals.HTTPLatencyP50, 0.01)
		s.Set(vitals.HTTPLatencyP99, 0.02)
		if fired := e.Step(&s, h); len(fired) > 0 {
			t.Errorf("it fired at second %d", i)
		}
		i++
	}); n > 0 {
		t.Errorf("%g allocations a sample", n)
	}
}
