package prove

import (
	"math"
	"testing"
)

func TestRatio(t *testing.T) {
	base := []float64{100, 101, 102, 103, 104, 105, 106, 107, 108, 109}
	scaled := make([]float64, len(base))
	for i, v := range base {
		scaled[i] = 1.2 * v
	}
	centre, low, high := Ratio(base, scaled)
	if math.Abs(centre-1.2) > 1e-12 || !(1.1 < low && low < 1.2 && 1.2 < high && high < 1.3) {
		t.Errorf("Ratio = %v [%v, %v], want 1.2 within (1.1, 1.3)", centre, low, high)
	}
	if centre, low, high = Ratio([]float64{100}, []float64{120}); centre < 1.19 || low != 0 || !math.IsInf(high, 1) {
		t.Errorf("Ratio of one value each = %v [%v, %v], want 1.2 [0, +Inf]", centre, low, high)
	}
	for _, bad := range [][]float64{nil, {0, 1}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		if centre, _, _ := Ratio(base, bad); !math.IsNaN(centre) {
			t.Errorf("Ratio to %v = %v, want NaN", bad, centre)
		}
	}
}

func TestCorrect(t *testing.T) {
	for _, c := range []struct {
		key  string
		p    [3]float64
		want [3]float64
	}{
		// 0.01·3, 0.03·2, then 0.04·1 raised to the one before.
		{"", [3]float64{0.03, 0.01, 0.04}, [3]float64{0.06, 0.03, 0.06}},
		// The key figure has half: 0.01·2. Then 0.5 is left for two with a quarter each: 0.03·2, and 0.04 raised to it.
		{"b", [3]float64{0.03, 0.01, 0.04}, [3]float64{0.06, 0.02, 0.06}},
	} {
		got := c.p
		correct([]hypothesis{{"a", &got[0]}, {"b", &got[1]}, {"c", &got[2]}}, c.key, 1)
		for i, want := range c.want {
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("key %q: p[%d] = %v, want %v", c.key, i, got[i], want)
			}
		}
	}
}
