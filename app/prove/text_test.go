package prove

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          string
	}{
		{100, 7.6, "−92.4 %"}, {100, 150, "+50.0 %"}, {100, 310, "×3.1"}, {5, 5, "0 %"}, {0, 5, "from 0"},
		{5, 0, "−100.0 %"},
		{35.01e6, 17e3, "÷2059"}, {100, 1, "−99.0 %"},
	} {
		if got := change(c.before, c.after); got != c.want {
			t.Errorf("change(%v, %v) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// A share that fell from 36 % to next to nothing fell by points, not by per cent of itself.
func TestChangeTextOfShares(t *testing.T) {
	f := casefile.Figure{Name: ErrorShare, Unit: string(vitals.Share),
		Effect: &casefile.Effect{Value: -0.364, Absolute: true}}
	if got := ChangeText(f); got != "−36.4 pp" {
		t.Errorf("the change is %q, want −36.4 pp", got)
	}
	f.Effect.Absolute = false
	if got := ChangeText(f); got != "−36.4 %" {
		t.Errorf("the relative change is %q, want −36.4 %%", got)
	}
}
