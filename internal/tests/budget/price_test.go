package budget_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/budget"
)

func TestPrice(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name                    string
		predicted, waited, used time.Duration
		answered                bool
		want                    time.Duration
	}{
		{"an idle target", 20 * ms, 15 * ms, 30 * ms, true, 15 * ms},
		{"more work than predicted", 20 * ms, 90 * ms, 100 * ms, true, 90 * ms},
		{"a starved target", 20 * ms, 14 * time.Second, 60 * ms, true, 60 * ms},
		{"a target that is busy with other things", 20 * ms, 14 * time.Second, 20 * time.Second, true, 200 * ms},
		{"a starved target on another machine", 20 * ms, 14 * time.Second, 0, true, 200 * ms},
		{"no answer", 20 * ms, time.Minute, 10 * ms, false, 20 * ms},
		{"no answer from a busy target", 20 * ms, time.Minute, 90 * time.Second, false, 20 * ms},
		{"a connection refused at once", 20 * ms, ms, 0, false, ms},
		{"nothing asked", 20 * ms, 0, 0, false, 0},
		{"a clock that went back", 20 * ms, -ms, 0, true, 0},
		{"a prediction without end", ceiling, time.Minute, 0, true, time.Minute},
	} {
		if got := budget.Price(c.predicted, c.waited, c.used, c.answered); got != c.want {
			t.Errorf("%s: charged %s, want %s", c.name, got, c.want)
		}
	}
}

// TestHangLeavesTheHour: a minute without an answer, then ten profiles of a starved target, leave room for the next
// capture.
func TestHangLeavesTheHour(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	l := budget.New(budget.Limits{}, budget.State{}, now)
	predicted := budget.Predict("goroutine", 0, budget.Facts{Goroutines: 1362, Outside: true})
	ask := func(waited, used time.Duration, answered bool) {
		t.Helper()
		g, err := l.Ask(now, "goroutine", predicted)
		if err != nil {
			t.Fatal(err)
		}
		actual := predicted
		actual.CPU = budget.Price(predicted.CPU, waited, used, answered)
		g.Settle(now, actual)
	}
	ask(time.Minute, 7*time.Second, false)
	for range 10 {
		ask(20*time.Second, 9*time.Second, true)
	}
	if spent := l.Status(now).Spent.CPU; spent > 3*time.Second {
		t.Errorf("%s are spent on eleven captures of %s", spent, predicted.CPU)
	}
}
