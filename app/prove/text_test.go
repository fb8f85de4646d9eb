package prove

import "testing"

func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          string
	}{
		{100, 7.6, "−92.4 %"}, {100, 150, "+50.0 %"}, {100, 310, "×3.1"}, {5, 5, "0 %"}, {0, 5, "from 0"}, {5, 0, "−100.0 %"},
		{35.01e6, 17e3, "÷2059"}, {100, 1, "−99.0 %"},
	} {
		if got := change(c.before, c.after); got != c.want {
			t.Errorf("change(%v, %v) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}
