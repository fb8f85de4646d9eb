package report

import (
	"math"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestScaleTicks(t *testing.T) {
	tests := []struct {
		name string
		s    scale
		n    int
		want []float64
	}{
		{"round steps", scale{low: 0, high: 10}, 4, []float64{0, 5, 10}},
		{"within", scale{low: 147, high: 214}, 4, []float64{160, 180, 200}},
		{"binary", scale{low: 0, high: 5 << 20, unit: 1 << 20}, 5,
			[]float64{0, 1 << 20, 2 << 20, 3 << 20, 4 << 20, 5 << 20}},
		{"every second power", scale{low: 1, high: 1e6, log: true}, 3, []float64{1, 100, 1e4, 1e6}},
		{"one two five", scale{low: 1, high: 100, log: true}, 4, []float64{1, 2, 5, 10, 20, 50, 100}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.s.ticks(tt.n)
			if !slices.EqualFunc(got, tt.want, func(a, b float64) bool {
				return math.Abs(a-b) < 1e-9*max(1,
					math.Abs(b))
			}) {
				t.Errorf("ticks %v, want %v", got, tt.want)
			}
		})
	}
}

func TestNewScale(t *testing.T) {
	nan := math.NaN()
	if _, ok := newScale([]float64{nan, math.Inf(1)}); ok {
		t.Error("a scale of nothing")
	}
	s, ok := newScale([]float64{1, nan, 100})
	if !ok || !s.log || s.at(10) < 0.4 || s.at(10) > 0.6 {
		t.Errorf("1 to 100: %+v, 10 is at %v; want a logarithmic scale with 10 in the middle", s, s.at(10))
	}
	if s, _ := newScale([]float64{0, 100}); s.log || s.at(50) < 0.45 || s.at(50) > 0.55 || s.low != 0 {
		t.Errorf("0 to 100: %+v, want a linear scale from 0", s)
	}
	if s, _ := newScale([]float64{5, 5}); s.at(5) != 0.5 {
		t.Errorf("5 alone is at %v, want the middle", s.at(5))
	}
}

func TestEffectAxis(t *testing.T) {
	effect := func(v, low, high, noise float64) Measured {
		return Measured{Figure: casefile.Figure{Effect: &casefile.Effect{Value: v, Low: low, High: high, Noise: noise}}}
	}
	figures := []Measured{effect(-0.5, -0.95, -0.1, 0.02), effect(0.01, -0.01, 0.03, 0.02)}
	a := newEffectAxis(figures)
	row := a.row(&figures[0])
	if !row.Drawn || row.At >= 50 || row.At <= 0 || !row.CutLow || row.CutHigh || row.From != 0 {
		t.Errorf("−50 %% from −95 %% to −10 %%: %+v; want it left of the middle, its interval cut on the left", row)
	}
	if row.Text != "−50\u00a0%" || row.Interval != "−95 to −10\u00a0%" || row.Noise != "±\u00a02\u00a0%" {
		t.Errorf("it reads %q, %q, %q", row.Text, row.Interval, row.Noise)
	}
	if small := a.row(&figures[1]); math.Abs((small.High-50)-(50-small.Low)) > 0.5 || small.Width() <= 0 {
		t.Errorf("the noise floor is from %v to %v, want it around 50", small.Low, small.High)
	}
	if half, twice := a.at(-0.5), a.at(1); math.Abs((50-half)-(twice-50)) > 1e-9 {
		t.Errorf("halving is at %v and doubling at %v, want them equally far out", half, twice)
	}
	absolute := Measured{Figure: casefile.Figure{Unit: "share", Effect: &casefile.Effect{Value: 0.01, Absolute: true}}}
	if row := a.row(&absolute); row.Drawn || row.Text != "+1\u00a0pp" {
		t.Errorf("an absolute change: %+v, want no place on the axis of ratios", row)
	}
}

func TestStackedKeepsMarksApart(t *testing.T) {
	s, _ := newScale([]float64{1, 2})
	got := stacked([]float64{1.5, 1.5, 1.5, math.NaN(), 1}, s)
	if got[0] != 0 || got[1] == got[2] || got[1] == 0 || got[4] != 0 || math.Abs(got[1]) > 0.5 {
		t.Errorf("offsets %v, want three that differ, inside of the lane", got)
	}
}
