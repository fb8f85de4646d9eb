package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// tripEvidence is the evidence that a case of any rule has: 80 goroutines of 92 at a line, most of the heap at another,
// and a third that computes.
func tripEvidence(t *testing.T, tripped time.Time, signals map[vitals.ID]func(int) float64) []Evidence {
	t.Helper()
	return []Evidence{
		{Name: "goroutine", Data: dumpOf(crowd{80, "chan receive", "main.leak:30 main.consume:9", ""},
			crowd{12, "select", "main.other:4", ""})},
		{Name: "heap", Data: liveHeap(t, heapLine{"main.(*Cache).put:9 main.serve:4", 1_000_000, 80 << 20, 0})},
		cpuProfile(t, 3, map[string]int64{workStack: 250, otherStack: 20}),
		history(t, tripped, signals),
	}
}

// TestEveryTripIsExplained: whatever the signal of a rule that trips, the picture says its number at the trip and
// before, and names lines of the program.
func TestEveryTripIsExplained(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	var triggers []casefile.Trigger
	for _, r := range rule.Default() {
		signals := r.When.Signals()
		for _, name := range signals {
			triggers = append(triggers, casefile.Trigger{Rule: r.Name, Time: at, Signal: name, Signals: signals})
		}
		if len(signals) == 0 {
			triggers = append(triggers, casefile.Trigger{Rule: r.Name, Time: at, Value: 80})
		}
	}
	for _, name := range vitals.Names() {
		triggers = append(triggers, casefile.Trigger{Rule: "of one signal", Time: at, Signal: name})
	}
	triggers = append(triggers, casefile.Trigger{Rule: "of the service", Time: at, Signal: "orders_waiting", Value: 7,
		Unit: "count"})
	for _, trigger := range triggers {
		t.Run(trigger.Rule+"/"+trigger.Signal, func(t *testing.T) {
			in := Input{Triggers: []casefile.Trigger{trigger}}
			name := trigger.Signal
			if id, ok := vitals.Lookup(name); ok {
				in.Triggers[0].Value = 80
				in.Evidence = tripEvidence(t, at, map[vitals.ID]func(int) float64{id: func(i int) float64 {
					return float64(11 + 69*(i/39))
				}})
			} else {
				in.Evidence = tripEvidence(t, at, map[vitals.ID]func(int) float64{
					vitals.RSS: func(int) float64 { return 1e8 }})
			}
			p := Run(t.Context(), in, Options{}).Picture
			if p == nil || len(p.Tripped) == 0 {
				t.Fatal("nothing is said of the trip")
			}
			first := p.Tripped[0]
			if name == "" {
				name = stuckGoroutines
			}
			if first.Signals[0].Name != name || !strings.HasPrefix(first.Text, name+" ") ||
				!strings.Contains(first.Text, " at the trip") {
				t.Errorf("it says %q of %s", first.Text, name)
			}
			if !hasPlaces(&first.PictureLine) || !strings.Contains(first.Text, "main.go:") || first.File == "" {
				t.Errorf("no line of the program explains it: %q", first.Text)
			}
			if first.Signals[0].Earlier == nil && name == trigger.Signal && name != "orders_waiting" {
				t.Errorf("it is not said what %s was before: %q", name, first.Text)
			}
		})
	}
}

// TestTripClasses: every built-in signal has its evidence, and only signals of others have none.
func TestTripClasses(t *testing.T) {
	for _, name := range vitals.Names() {
		if classOf(name) == ofOthers {
			t.Errorf("nothing explains %s: give it a row in classOf", name)
		}
	}
}
