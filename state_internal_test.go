package casebook

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/rule"
)

// What another watch or capture of the same target has stored is still there after this one saves.
func TestStateKeepsWhatOthersKnow(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 30, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	fired := func(names ...string) rule.State {
		s := rule.State{Fired: make(map[string][]time.Time)}
		for i, n := range names {
			s.Fired[n] = []time.Time{ago(time.Duration(i+1) * time.Minute)}
		}
		return s
	}
	minute := func(d time.Duration, cpu time.Duration, bytes int64) budget.Minute {
		return budget.Minute{Start: ago(d), Cost: budget.Cost{CPU: cpu, Bytes: bytes}}
	}
	for _, c := range []struct {
		name      string
		own, old  state
		rules     []string
		cpu       time.Duration
		bytes     int64
		minuteful int
	}{
		{"nothing", state{}, state{}, nil, 0, 0, 0},
		{"rules of another", state{Rules: fired("mine")}, state{Rules: fired("theirs")}, []string{"mine", "theirs"}, 0,
			0, 0},
		{"into an empty one", state{}, state{Rules: fired("theirs")}, []string{"theirs"}, 0, 0, 0},
		{"too old", state{}, state{Rules: rule.State{Fired: map[string][]time.Time{"a": {ago(2 * maxForeignAge)}}}},
			nil, 0, 0, 0},
		{"of the future", state{}, state{Rules: rule.State{Fired: map[string][]time.Time{"a": {ago(-time.Hour)}}}}, nil,
			0, 0, 0},
		{"no firing", state{}, state{Rules: rule.State{Fired: map[string][]time.Time{"a": {}}}}, nil, 0, 0, 0},
		{
			"costs: the larger of one minute, and minutes of another",
			state{Budget: budget.State{Minutes: []budget.Minute{minute(2*time.Minute, 5, 1)}}},
			state{Budget: budget.State{Minutes: []budget.Minute{minute(2*time.Minute-time.Millisecond, 3, 4),
				minute(9*time.Minute, 7, 0), minute(3*time.Hour, 100, 100)}}},
			nil, 5 + 7, 4, 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.own
			s.keep(c.old, now)
			var rules []string
			for name := range s.Rules.Fired {
				rules = append(rules, name)
			}
			slices.Sort(rules)
			if !slices.Equal(rules, c.rules) {
				t.Errorf("firings are known of %v, want %v", rules, c.rules)
			}
			var cpu time.Duration
			var bytes int64
			for _, m := range s.Budget.Minutes {
				cpu, bytes = cpu+m.CPU, bytes+m.Bytes
			}
			if cpu != c.cpu || bytes != c.bytes || len(s.Budget.Minutes) != c.minuteful {
				t.Errorf("costs %d and %d in %d minutes, want %d and %d in %d", cpu, bytes, len(s.Budget.Minutes),
					c.cpu, c.bytes, c.minuteful)
			}
		})
	}
}

// When a watch and captures beside it save in turns, what was spent does not grow.
func TestStateInTurnsDoesNotGrow(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 30, 17, 0, time.UTC)
	ledger := budget.New(budget.Limits{}, budget.State{}, now)
	grant, err := ledger.Ask(now, "cpu", budget.Cost{CPU: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	grant.Settle(now, budget.Cost{CPU: time.Second})
	disk := state{Budget: ledger.State()}
	want := disk.Budget.Minutes[0].Cost
	for i := range 10 {
		now = now.Add(7 * time.Second)
		other := state{Budget: budget.New(budget.Limits{}, disk.Budget, now).State()}
		other.keep(disk, now)
		if disk = other; len(disk.Budget.Minutes) != 1 || !reflect.DeepEqual(disk.Budget.Minutes[0].Cost, want) {
			t.Fatalf("after %d turns: %s, want one minute of %+v", i+1, fmt.Sprint(disk.Budget.Minutes), want)
		}
	}
}

// A folder in which rules change all the time does not make the state grow forever.
func TestStateOfManyRulesIsBounded(t *testing.T) {
	now := time.Now()
	old := state{Rules: rule.State{Fired: make(map[string][]time.Time)}}
	for i := range 10 * maxForeignRules {
		old.Rules.Fired[fmt.Sprint("rule-", i)] = []time.Time{now}
	}
	var s state
	if s.keep(old, now); len(s.Rules.Fired) != maxForeignRules {
		t.Errorf("%d rules are kept, want %d", len(s.Rules.Fired), maxForeignRules)
	}
}
