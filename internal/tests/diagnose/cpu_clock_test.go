package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// Loops that wait by asking for the time are told to sleep, whatever else they look at. testdata/clocks says how they
// are written; a walk over a list asks as much as they do, and may be told both.
func TestClocksThatWait(t *testing.T) {
	eachRecording(t, "forms/clocks", ".pb.gz", 10, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 1, "forms/clocks", way+".pb.gz")}
		if _, score := scoreOf(t, in, "cpu-runtime"); score > 0 {
			t.Errorf("called scheduling, %d", score)
		}
		f, score := scoreOf(t, in, "cpu-time-now")
		if spin, spins := scoreOf(t, in, "cpu-spin"); way == "wait-marks" || way == "wait-listing" { // by their names
			if f, score = spin, spins; score > 0 && strings.Contains(f.Remedies[0].Title+f.Remedies[1].Title, "clock") {
				t.Errorf("a wait, and the advice is %q and %q", f.Remedies[0].Title, f.Remedies[1].Title)
			}
		}
		advice := ""
		if score > 0 {
			advice = f.Remedies[0].Title + ". " + f.Remedies[0].Text
		}
		sleep, once := strings.Contains(advice, "time.Sleep"), strings.Contains(advice, "before the loop")
		switch {
		case strings.HasPrefix(way, "wait-"):
			if score < 50 || !sleep {
				t.Errorf("scores %d and advises %q", score, advice)
			}
		case score > 0 && !once, sleep && way != "read-queue":
			t.Errorf("scores %d and advises %q", score, advice)
		}
	})
}
