package rule

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestMoreByChance compares with the tail of the hypergeometric distribution, summed by hand.
func TestMoreByChance(t *testing.T) {
	for _, tt := range []struct {
		slow, n, slowBefore, before float64
		want                        float64
	}{
		{3, 3, 0, 3, 1.0 / 20},                   // one of the 20 ways to choose 3 of 6
		{2, 3, 1, 3, (9 + 1) / 20.0},             // two or three of them
		{0, 5, 3, 7, 1},                          // always
		{6, 6, 0, 60, 1.0 / 90_858_768},          // 66 choose 6
		{5, 10, 5, 10, 0.5 + 63_504/184_756.0/2}, // half, and half of the middle: 10 choose 5 squared of 20 choose 10
	} {
		if got := moreByChance(tt.slow, tt.n, tt.slowBefore, tt.before); math.Abs(got-tt.want) > 1e-9+1e-9*tt.want {
			t.Errorf("%v: %g, want %g", tt, got, tt.want)
		}
	}
}

// TestLateAllocatesNothing: a rule on few requests is judged with each sample.
func TestLateAllocatesNothing(t *testing.T) {
	e, err := NewEngine([]Rule{{Name: "late", When: Condition{Signal: "http_latency_p50",
		Late: &Late{Times: 3, Least: Duration(100 * time.Millisecond), Share: 0.2}}}}, nil)
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
