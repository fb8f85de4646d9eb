package diagnose

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestTrendOfLows: a straight rise is a rise, a curve that flattens is slowing, and a sawtooth without a rise is
// neither.
func TestTrendOfLows(t *testing.T) {
	for name, tt := range map[string]struct {
		low  func(i int) float64
		want lowsTrend
	}{
		"straight": {func(i int) float64 { return float64(100+i) * mib }, steady},
		"filling":  {func(i int) float64 { return float64(100+min(3*i, 90)) * mib }, slowing},
		"flat":     {constant(100 * mib), unknownTrend},
	} {
		r := &Reading{}
		for i := range 90 {
			s := vitals.NewSample(noon.Add(time.Duration(i) * time.Second))
			s.Set(vitals.HeapAlloc, tt.low(i)+float64(i%5)*20*mib) // collected every fifth second
			r.Vitals = append(r.Vitals, s)
		}
		if got := trendOfLows(r); got != tt.want {
			t.Errorf("%s: trend %v, want %v", name, got, tt.want)
		}
		for i := range r.Vitals { // the low points are random, what collections left is not
			r.Vitals[i].Set(vitals.HeapAlloc, 500*mib-float64(i)*mib)
			if slices.Contains([]int{2, 5, 9, 15, 22, 31, 44, 60, 85}, i) {
				r.Vitals[i].Set(vitals.HeapLive, tt.low(i))
			}
		}
		if got := trendOfLows(r); got != tt.want {
			t.Errorf("%s, by heap_live: trend %v, want %v", name, got, tt.want)
		}
	}
}
