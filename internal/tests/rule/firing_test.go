package rule_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestFiringTellsWhenAndByWhat: a rule fires when its condition has been true for its "for", not when it became true.
// It names the signal that decided, which need not be the first of the condition.
func TestFiringTellsWhenAndByWhat(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{For: rule.Duration(3 * time.Second), Any: []rule.Condition{
			{Signal: "cpu", Above: ptr(9)}, {Signal: "gc_cpu", Above: ptr(0.5)},
		}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var fired []rule.Firing
	for i := range 10 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.CPU, 1)
		s.Set(vitals.GCCPU, 0.1)
		if i >= 4 {
			s.Set(vitals.GCCPU, 0.75)
		}
		fired = append(fired, e.Step(&s, vitals.NewHistory(1))...)
	}
	if len(fired) == 0 {
		t.Fatal("the rule did not fire")
	}
	f := fired[0]
	if at, since := f.Time.Sub(start), f.Since.Sub(start); at != 7*time.Second || since != 4*time.Second {
		t.Errorf("fired at %s, true since %s; want 7s and 4s", at, since)
	}
	if f.Signal.Name != "gc_cpu" || f.Value != 0.75 {
		t.Errorf("decided by %s at %g, want gc_cpu at 0.75", f.Signal.Name, f.Value)
	}
}
