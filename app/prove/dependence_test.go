package prove

import (
	"math"
	"testing"
)

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
	if got := lag1([]float64{1, 2, 3, 4, 5}); !math.IsNaN(got) {
		t.Errorf("lag1 of five values %v, want that it is not known", got)
	}
}

func TestResemblance(t *testing.T) {
	alternating, rising := make([]float64, 100), make([]float64, 100)
	for i := range alternating {
		alternating[i], rising[i] = float64(i%2), float64(i)
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"two trends", rising, rising, maxRho},
		{"alternating", alternating, alternating, 0.2183},
		{"a side that is constant does not count", alternating, make([]float64, 300), 0.3051},
		{"both constant", make([]float64, 9), make([]float64, 9), 0},
		{"too few to know", []float64{1, 2, 1, 2}, alternating, maxRho},
	} {
		if got, _ := resemblance(c.a, c.b); math.Abs(got-c.want) > 0.0001 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
