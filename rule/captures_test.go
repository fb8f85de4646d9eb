package rule

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// TestCaptures: a rule takes what it lists, in its order, and then what explains a trip; a mere schedule only what it
// lists.
func TestCaptures(t *testing.T) {
	above := Condition{Signal: "goroutines", Above: ptr(1.0)}
	hourly := Condition{Every: Duration(time.Hour)}
	for _, tt := range []struct {
		name string
		rule Rule
		want []string
	}{
		{"nothing listed", Rule{When: above}, DefaultCapture()},
		{"one", Rule{When: above, Capture: []string{casefile.Mutex}},
			[]string{casefile.Mutex, casefile.Goroutine, casefile.Heap, casefile.CPU}},
		{"its order", Rule{When: above, Capture: []string{casefile.CPU, casefile.Runtime, casefile.Goroutine}},
			[]string{casefile.CPU, casefile.Runtime, casefile.Goroutine, casefile.Heap}},
		{"a schedule", Rule{When: hourly, Capture: []string{casefile.Heap}}, []string{casefile.Heap}},
		{"a schedule on a condition", Rule{When: Condition{All: []Condition{hourly, above}},
			Capture: []string{casefile.Heap}}, []string{casefile.Heap, casefile.Goroutine, casefile.CPU}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.rule.Captures(); !slices.Equal(got, tt.want) {
				t.Errorf("captures %v, want %v", got, tt.want)
			}
			if listed := tt.rule.Lists(casefile.CPU); listed != (len(tt.rule.Capture) == 0 ||
				tt.rule.Capture[0] == casefile.CPU) {
				t.Errorf("Lists(cpu) is %v of %v", listed, tt.rule.Capture)
			}
		})
	}
	for _, r := range Default() {
		for _, kind := range explaining {
			if !slices.Contains(r.Captures(), kind) {
				t.Errorf("%s takes no %s", r.Name, kind)
			}
		}
	}
}
