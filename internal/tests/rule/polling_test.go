package rule_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// What the default rules say about one goroutine that runs for an hour and that so many of a hundred censuses found
// polling. The shares are those of evidence/cases/forms/polls. Other goroutines start, compute and end.
func TestBusyPoll(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64 // share of censuses that find it polling
		cores float64
		runs  bool // in each census, otherwise in nine of ten
		trips bool
	}{
		{"a select with two cases and a default", 0.98, 1, true, true},
		{"a select on a context that wraps another", 0.17, 1, true, true},
		{"the same beside others, at half a core", 0.17, 0.6, true, true},
		{"writing events, and dropping those that nobody reads", 0.03, 1, true, false},
		{"compressing, and asking in each turn", 0.005, 1, true, false},
		{"hashing 1 KiB, and asking in each turn", 0.025, 1, true, false},
		{"a select with a default and a sleep of 10 ms", 0.9, 0.02, false, false},
		{"a consumer that drains a queue by a select with a default, works, and waits then", 0.03, 0.9, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			e, err := rule.NewEngine(rule.Default(), nil)
			if err != nil {
				t.Fatal(err)
			}
			history := vitals.NewHistory(601)
			var tripped time.Duration
			for i := range 3600 {
				at := time.Duration(i) * time.Second
				s := vitals.NewSample(start.Add(at))
				s.Set(vitals.CPU, c.cores)
				if i%2 == 0 && (c.runs || random.Float64() < 0.9) {
					e.Census(s.Time, []vitals.Place{
						{Key: 1, Func: "relay.copy", Runs: true, Polls: random.Float64() < c.share, Count: 1},
						{Key: 2, Func: "shop.serve", Runs: random.Float64() < 0.5, Count: 1},
					})
				} else if i%2 == 0 {
					e.Census(s.Time, []vitals.Place{{Key: 1, Func: "relay.copy", Wait: vitals.WaitSelect, Count: 1}})
				}
				for _, f := range e.Step(&s, history) {
					if tripped == 0 {
						tripped = at
					}
					if want := "relay.copy never waits"; f.Rule.Name != "busy-poll" || !strings.Contains(f.Text, want) {
						t.Errorf("%s: %q, want %q in it", f.Rule.Name, f.Text, want)
					}
				}
				history.Add(s)
			}
			if c.trips != (tripped > 0) || tripped > 3*time.Minute {
				t.Errorf("tripped after %s, want %v", tripped, c.trips)
			}
		})
	}
}

func TestPollingIn(t *testing.T) {
	rules := []rule.Rule{{Name: "mine", Warmup: -1,
		When: rule.Condition{Polling: &rule.Polling{For: rule.Duration(time.Minute),
			In: "relay"}}}}
	e, err := rule.NewEngine(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	var fired []string
	for i := range 200 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		if i%2 == 0 {
			e.Census(s.Time, []vitals.Place{{Func: "other.copy", Runs: true, Polls: true, Count: 1},
				{Func: "relay.copy", Runs: i >= 60, Polls: true, Count: 1}})
		}
		for _, f := range e.Step(&s, vitals.NewHistory(1)) {
			fired = append(fired, f.Text)
		}
	}
	if len(fired) != 1 || !strings.HasPrefix(fired[0],
		"relay.copy never waits: it ran in each of 31 censuses within 1m, and in 31 of them") {
		t.Errorf("fired %q", fired)
	}
}
