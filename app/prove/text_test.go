package prove

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

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
