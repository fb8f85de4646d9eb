package casebook_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestTriggerIsAsTheSchemaSays: docs/case.md says that a trigger's time is when the rule fired, its signal the one that
// decided, and its signals all that the condition names.
func TestTriggerIsAsTheSchemaSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = 700 * time.Millisecond
		nine, many := 9.0, 5.0
		e, r := watch(t, casebook.Config{
			Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond,
			Rules: []rule.Rule{{Name: "test", Warmup: -1, Capture: []string{casefile.Goroutine}, When: rule.Condition{
				For: rule.Duration(held),
				Any: []rule.Condition{{Signal: vitals.CPU.String(), Above: &nine},
					{Signal: vitals.Goroutines.String(), Above: &many}},
			}}},
		}, casebook.Closed)
		first, ok := r.first(casebook.Sampled)
		if !ok {
			t.Fatal("nothing was sampled")
		}
		got := e.Case.Trigger
		if after := got.Time.Sub(first.Sample.Time); after != held {
			t.Errorf("trigger.time is %s after the first sample, in which the condition was true already; want %s",
				after, held)
		}
		if want := []string{"cpu", "goroutines"}; got.Signal != "goroutines" || got.Value != 10 ||
			!slices.Equal(got.Signals, want) {
			t.Errorf("trigger.signal is %s at %g of %v, want goroutines at 10 of %v", got.Signal, got.Value,
				got.Signals, want)
		}
	})
}
