package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestAnswers: what the delay of an answer tells, by what the CPU did meanwhile.
func TestAnswers(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	busy := dumpOf(crowd{300, "runnable", "main.work:13 main.spin:22", ""})
	for _, tt := range []struct {
		name   string
		limits casefile.Limits
		values map[vitals.ID]func(int) float64
		want   string // "" for no line
	}{
		{"at once", casefile.Limits{CPUs: 2}, map[vitals.ID]func(int) float64{vitals.ProbeTime: constant(0.002),
			vitals.CPU: constant(1.9)}, ""},
		{"one processor", casefile.Limits{CPUs: 2}, map[vitals.ID]func(int) float64{vitals.ProbeTime: constant(7),
			vitals.CPU: constant(0.98), vitals.GoMaxProcs: constant(1)},
			"took 7 s; its CPU is used up, and the answer waited for a turn: it used 0.98 cores of GOMAXPROCS 1 " +
				"and 300 goroutines are ready to run"},
		{"a quota", casefile.Limits{CPUs: 0.1, CPUQuota: 0.1}, map[vitals.ID]func(int) float64{
			vitals.ProbeTime: constant(3), vitals.CPU: constant(0.1), vitals.Throttled: constant(0.9)},
			"took 3 s; its quota stopped it in 90 % of the periods: it used 0.1 cores of a quota of 0.1 cores and " +
				"300 goroutines are ready to run"},
		{"neighbours", casefile.Limits{CPUs: 2}, map[vitals.ID]func(int) float64{vitals.Unanswered: constant(4),
			vitals.CPU: constant(0.4), vitals.CPUPressure: constant(0.8)}, "it competes for the CPU"},
		{"a lock", casefile.Limits{CPUs: 2}, map[vitals.ID]func(int) float64{vitals.Unanswered: constant(4),
			vitals.CPU: constant(0.01), vitals.CPUPressure: constant(0.1)},
			"CPU was left, so the answer waited for something else"},
		{"elsewhere", casefile.Limits{}, map[vitals.ID]func(int) float64{vitals.ProbeTime: constant(4)},
			"took 4 s; its CPU is not known"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Limits: tt.limits, Evidence: []diagnose.Evidence{{Name: "dump", Data: busy},
				history(t, at, tt.values)}}
			got := diagnose.Run(t.Context(), in, diagnose.Options{}).Picture.Answers
			switch {
			case tt.want == "" && got != nil:
				t.Errorf("says %q of a process that answers", got.Text)
			case tt.want != "" && (got == nil || !strings.Contains(got.Text, tt.want)):
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}
