package prove

import (
	"math"
	"testing"
)

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
