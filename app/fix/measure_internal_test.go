package fix

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/prove/trial"
)

// TestServiceFigures: a rate that is too low for the p99 measures all that decides.
func TestServiceFigures(t *testing.T) {
	for _, c := range []struct {
		trial trial.Config
		p99   bool
	}{
		{trial.Config{Rate: 60}, false}, {trial.Config{Rate: 300}, true},
		{trial.Config{Rate: 300, Slice: 50 * time.Millisecond}, false}, {trial.Config{Rate: 60, Slice: 5 * time.Second}, true},
	} {
		got := serviceFigures(c.trial)
		if slices.Contains(got, "p99") != c.p99 || !slices.Contains(got, "cpu_per_request") {
			t.Errorf("%+v: %v, want p99 %v", c.trial, got, c.p99)
		}
	}
}
