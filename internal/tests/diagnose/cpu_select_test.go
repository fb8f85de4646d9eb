package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// The CPU profile alone tells a select that spins from a busy one that waits. testdata/selects says how they are
// written.
func TestSelectsThatSpin(t *testing.T) {
	eachRecording(t, "forms/selects", ".pb.gz", 9, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 1, "forms/selects", way+".pb.gz")}
		f, score := scoreOf(t, in, "goroutine-busy-poll")
		switch spins := strings.HasPrefix(way, "spin-"); {
		case !spins && score > 0:
			t.Errorf("scores %d at %v, and it waits", score, f.Where)
		case spins && (score < 50 || !strings.HasPrefix(f.Where[0].Function, "main.(*server).spin")):
			t.Errorf("scores %d at %v", score, f.Where)
		case spins && !strings.Contains(f.Remedies[0].Text, "without default"):
			t.Errorf("advises %q", f.Remedies[0].Text)
		}
	})
}
