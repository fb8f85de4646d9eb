package casebook_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func admitted(admit casebook.AdmitFunc) casebook.Config {
	low := 5.0
	return casebook.Config{Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond, Admit: admit,
		Rules: []rule.Rule{{Name: "any", Warmup: -1, Cooldown: rule.Duration(time.Hour),
			Capture: []string{casefile.Goroutine}, When: rule.Condition{Signal: vitals.Goroutines.String(), Above: &low}}}}
}

// A case that is not admitted takes nothing, costs nothing and is told to nobody but whoever watches.
func TestDeclined(t *testing.T) {
	for name, admit := range map[string]casebook.AdmitFunc{
		"an error": func(context.Context, casefile.Trigger) (func(), error) { return nil, errors.New("the node is busy") },
		"a panic":  func(context.Context, casefile.Trigger) (func(), error) { panic("the node is busy") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := admitted(admit)
				cfg.Dir = t.TempDir()
				e, r := watch(t, cfg, casebook.Declined)
				if e.Trigger.Rule != "any" || e.CaseID == "" || !strings.Contains(e.Err.Error(), "the node is busy") {
					t.Errorf("the event is %+v", e)
				}
				if _, ok := r.first(casebook.Captured); ok {
					t.Error("evidence was taken")
				}
				entries, err := os.ReadDir(cfg.Dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, entry := range entries {
					if entry.IsDir() {
						t.Errorf("%s is in the folder of cases", entry.Name())
					}
				}
			})
		})
	}
}

// Admit may let a case wait, and hears when it is written.
func TestAdmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait = 3 * time.Second
		released := make(chan time.Time, 1)
		e, r := watch(t, admitted(func(ctx context.Context, trigger casefile.Trigger) (func(), error) {
			if trigger.Rule != "any" {
				t.Errorf("asked for %+v", trigger)
			}
			time.Sleep(wait)
			return func() { released <- time.Now() }, ctx.Err()
		}), casebook.Closed)
		tripped, _ := r.first(casebook.Tripped)
		taken, ok := r.first(casebook.Captured)
		if !ok || taken.Time.Sub(tripped.Time) < wait {
			t.Errorf("evidence came %s after the trip; want %s at least", taken.Time.Sub(tripped.Time), wait)
		}
		if at := <-released; at.Before(e.Case.Closed) {
			t.Error("it was released before the case was closed")
		}
	})
}
