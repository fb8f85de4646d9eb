package stat

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		vs   []float64
		want float64
	}{
		{"none", nil, math.NaN()},
		{"one", []float64{7}, 7},
		{"odd", []float64{9, 1, 4}, 4},
		{"even", []float64{9, 1, 4, 5}, 4.5},
		{"two infinities", []float64{inf, 1, inf, inf}, inf},
		{"between two infinities", []float64{inf, -inf}, math.NaN()},
		{"half infinite", []float64{1, 2, inf, inf}, inf},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.vs)
			if got := Median(c.vs); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("the median of %v is %v, want %v", c.vs, got, c.want)
			}
			if !slices.Equal(before, c.vs) {
				t.Errorf("the values became %v, want them as they were: %v", c.vs, before)
			}
		})
	}
}

// TestCentre is computed by hand: the means of the pairs of 1, 2, 9 are 1, 1.5, 5, 2, 5.5 and 9, whose median is 3.5.
func TestCentre(t *testing.T) {
	if got := Centre([]float64{9, 1, 2}); got != 3.5 {
		t.Errorf("the centre is %v, want 3.5", got)
	}
	if got := Centre(nil); !math.IsNaN(got) {
		t.Errorf("the centre of nothing is %v, want NaN", got)
	}
	inf := math.Inf(1)
	if got := Centre([]float64{inf, -inf, inf}); got != inf { // +∞ three times, −∞ once
		t.Errorf("the centre of infinities is %v, want %v", got, inf)
	}
}

// TestShift is computed by hand: 3+d is the difference of 10−|d| of the 100 pairs, and the interval goes from the 24th
// smallest to the 24th largest, ⌊50 − 1.96·√(100·21/12)⌋ = 24.
func TestShift(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	b := []float64{4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	centre, low, high := Shift(a, b, 1)
	if centre != 3 || low != 0 || high != 6 {
		t.Errorf("the shift is %v [%v, %v], want 3 [0, 6]", centre, low, high)
	}
	if _, wideLow, wideHigh := Shift(a, b, 2); !(wideLow < low && wideHigh > high) {
		t.Errorf("with twice the variance [%v, %v], want it wider than [%v, %v]", wideLow, wideHigh, low, high)
	}
	if _, low, high := Shift(a[:2], b[:2], 1); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("of two and two [%v, %v], want no bounds", low, high)
	}
	if centre, _, _ := Shift(nil, b, 1); !math.IsNaN(centre) {
		t.Errorf("from nothing it is %v, want NaN", centre)
	}
}

// TestHolm is computed by hand.
func TestHolm(t *testing.T) {
	for _, c := range []struct {
		name              string
		ps, weights, want []float64
	}{
		{"none", nil, nil, nil},
		{"one", []float64{0.03}, nil, []float64{0.03}},
		// 0.01·3, 0.03·2, then 0.04·1 raised to the one before.
		{"equal weights", []float64{0.03, 0.01, 0.04}, nil, []float64{0.06, 0.03, 0.06}},
		{"at most 1", []float64{0.9, 0.8}, nil, []float64{1, 1}},
		// The second may use half of the error: 0.01·2. Then 0.5 is left for two with a quarter each: 0.03·2, and 0.04
		// raised to it.
		{"half for one", []float64{0.03, 0.01, 0.04}, []float64{0.25, 0.5, 0.25}, []float64{0.06, 0.02, 0.06}},
		{"the same, not adding up to 1", []float64{0.03, 0.01, 0.04}, []float64{1, 2, 1}, []float64{0.06, 0.02, 0.06}},
		// By p over weight the first comes first, though its p is larger: 0.02·4/3, then 0.01·1.
		{"weights decide the order", []float64{0.02, 0.01}, []float64{3, 1}, []float64{0.02 * 4 / 3, 0.02 * 4 / 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Holm(c.ps, c.weights)
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }
			if !slices.EqualFunc(got, c.want, near) {
				t.Errorf("%v with weights %v became %v, want %v", c.ps, c.weights, got, c.want)
			}
		})
	}
}
