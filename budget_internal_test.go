package casebook

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/internal/settings"
)

// TestDefaultsAreAsDocumented: the comments of Budget and Config say what zero means, and flags have the same defaults.
func TestDefaultsAreAsDocumented(t *testing.T) {
	now := time.Now()
	s := budgetStatus(budget.New(budget.Limits(Budget{}), budget.State{}, now).Status(now))
	want := Budget{CPU: 36 * time.Second, Bytes: 512 << 20, Pause: 500 * time.Millisecond,
		Longest: 10 * time.Millisecond}
	if s.Limits != want {
		t.Errorf("the limits are %+v, want %+v", s.Limits, want)
	}
	if recorder.DefaultMaxCost != 0.01 {
		t.Errorf("the flight recorder may cost %g, want 0.01", recorder.DefaultMaxCost)
	}
	if settings.Interval.Default != DefaultInterval || settings.ProfileFor.Default != DefaultProfileFor ||
		settings.Before.Most != DefaultHistory {
		t.Error("the flags' defaults are not those of Config")
	}
}
