package rule_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// An engine with other rules goes on where the one before was: its target has been watched since then.
func TestFollow(t *testing.T) {
	warm := rule.Rule{Name: "a", Warmup: rule.Duration(10 * time.Second), Cooldown: rule.Duration(time.Hour),
		When: rule.Condition{
			Signal: "goroutines", Rise: ptr(20.0), Over: rule.Duration(10 * time.Second)}}
	other := warm
	other.Name = "b"
	history, now := vitals.NewHistory(100), time.Unix(1_700_000_000, 0)
	var e *rule.Engine
	follow := func(r rule.Rule) {
		next, err := rule.NewEngine([]rule.Rule{r}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			next.Follow(e, now)
		}
		e = next
	}
	step := func(v float64) bool {
		now = now.Add(time.Second)
		s := vitals.NewSample(now)
		s.Set(vitals.Goroutines, v)
		fired := e.Step(&s, history)
		history.Add(s)
		return len(fired) > 0
	}
	follow(other)
	for range 11 {
		if step(100) {
			t.Fatal("it fired at rest")
		}
	}
	follow(warm)
	if !step(130) {
		t.Error("a rule set after eleven samples did not fire in the next one")
	}
	follow(other)
	step(100)
	follow(warm)
	if step(200) {
		t.Error("a rule that was away for a sample forgot that it cools down for an hour")
	}
	if _, known := e.State().Fired["b"]; known {
		t.Error("a rule that never fired is in the state")
	}
	if got := len(e.State().Fired["a"]); got != 1 {
		t.Errorf("the state has %d firings, want the one", got)
	}
}
