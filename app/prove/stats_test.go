package prove

import (
	"math"
	"testing"
)

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
