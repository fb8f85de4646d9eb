package vitals_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// FitLine gives for values what History.Line gives for the samples that hold them.
func TestFitLineIsHistoryLine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, noise := range []float64{0, 1, 100} {
		h := vitals.NewHistory(200)
		var times, values []float64
		var last vitals.Sample
		walk := 0.0
		for i := range 100 {
			walk = 0.9*walk + noise*random.NormFloat64()
			s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
			s.Set(vitals.HeapLive, 1e6+3*float64(i)+walk)
			times, values = append(times, float64(i)), append(values, s.Values[vitals.HeapLive])
			if i < 99 {
				h.Add(s)
			}
			last = s
		}
		want, got := h.Line(vitals.HeapLive, start, &last), vitals.FitLine(times, values)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(a)+1e-9 }
		if got.N != want.N || got.Span != want.Span || !near(got.Slope, want.Slope) || !near(got.Level, want.Level) ||
			!near(got.StdErr, want.StdErr) {
			t.Errorf("noise %g: %+v, want %+v", noise, got, want)
		}
	}
}

func TestFitLineOfLittle(t *testing.T) {
	for _, n := range []int{0, 1, 2} {
		l := vitals.FitLine(make([]float64, n), make([]float64, n))
		if low, high := l.SlopeBounds(); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
			t.Errorf("%d values bound the slope by %g and %g", n, low, high)
		}
	}
	if l := vitals.FitLine([]float64{5, 5, 5}, []float64{1, 2, 3}); l.Slope != 0 {
		t.Errorf("values at one time have the slope %g", l.Slope)
	}
}
