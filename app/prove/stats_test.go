package prove

import (
	"math"
	"testing"
)

// separate are n values and n others, all of them larger.
func separate(n int) (a, b []float64) {
	for i := range n {
		a, b = append(a, float64(i)), append(b, float64(i+n))
	}
	return a, b
}

// TestUTestOfSeparateLists has the clearest difference there is, at sizes where the exact p, the normal approximation or
// neither has digits left.
func TestUTestOfSeparateLists(t *testing.T) {
	for _, inflation := range []float64{1, 1.01, 2} {
		for _, n := range []int{26, 30, 49, 51, 100, 1000} {
			a, b := separate(n)
			if p := uTest(a, b, inflation); !(p >= 0 && p < 1e-4) {
				t.Errorf("n = %d, inflation %v: p = %v, want it below 0.0001", n, inflation, p)
			}
		}
	}
}

func TestDeviate(t *testing.T) {
	// Two-sided tails of the standard normal distribution, from tables.
	for p, want := range map[float64]float64{1: 0, 0.05: 1.959964, 0.01: 2.575829, 1e-9: 6.109410} {
		if got := deviate(p); math.Abs(got-want) > 1e-5 {
			t.Errorf("deviate(%v) = %v, want %v", p, got, want)
		}
	}
}

// TestShift is computed by hand: 3+d is the difference of 10−|d| of the 100 pairs, and the interval goes from the 24th
// smallest to the 24th largest, ⌊50 − 1.96·√(100·21/12)⌋ = 24.
func TestShift(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	b := []float64{4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	centre, low, high := shift(a, b, 1)
	if centre != 3 || low != 0 || high != 6 {
		t.Errorf("shift = %v [%v, %v], want 3 [0, 6]", centre, low, high)
	}
	if _, wideLow, wideHigh := shift(a, b, 2); !(wideLow < low && wideHigh > high) {
		t.Errorf("with twice the variance [%v, %v], want it wider than [%v, %v]", wideLow, wideHigh, low, high)
	}
	if _, low, high := shift(a[:2], b[:2], 1); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("of two and two [%v, %v], want no bounds", low, high)
	}
}

func TestLag1(t *testing.T) {
	alternating, rising := make([]float64, 100), make([]float64, 100)
	for i := range alternating {
		alternating[i], rising[i] = float64(i%2), float64(i)
	}
	for _, c := range []struct {
		name      string
		vs        []float64
		low, high float64
	}{
		{"short", []float64{1, 2, 3, 4, 5}, 0, 0},
		{"constant", make([]float64, 50), 0, 0},
		{"alternating", alternating, -1.05, -0.95},
		{"rising", rising, 0.95, 1.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lag1(c.vs); got < c.low || got > c.high {
				t.Errorf("lag1 = %v, want %v to %v", got, c.low, c.high)
			}
		})
	}
	if f := varianceInflation(rising, rising); math.Abs(f-19) > 1e-9 {
		t.Errorf("inflation of a trend %v, want its cap, 19", f)
	}
	if f := varianceInflation(alternating, alternating); f != 1 {
		t.Errorf("inflation of alternating values %v, want 1", f)
	}
}

func TestHolm(t *testing.T) {
	cs := []*contrast{{tested: true, p: 0.03}, {tested: false, p: 0}, {tested: true, p: 0.01}, {tested: true, p: 0.04}}
	adjustHolm(cs)
	// 0.01·3, then 0.03·2, then 0.04·1 raised to the one before.
	for i, want := range []float64{0.06, 0, 0.03, 0.06} {
		if math.Abs(cs[i].p-want) > 1e-12 {
			t.Errorf("p[%d] = %v, want %v", i, cs[i].p, want)
		}
	}
}
