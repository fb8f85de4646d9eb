package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// A slice or buffer that is only added to is one object, and a leak. What is read as a whole, written out when full,
// built again, or loaded once is none, though its blocks are as large. testdata/blocks says how they are written.
func TestGrowthInPlace(t *testing.T) {
	eachRecording(t, "forms/blocks", ".1.pb.gz", 10, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 2, "forms/blocks", way+".?.pb.gz")}
		f, score := scoreOf(t, in, "mem-leak")
		switch adds := strings.HasPrefix(way, "adds-"); {
		case !adds && score > 0:
			t.Errorf("scores %d: %s", score, f.Summary)
		case adds && (score != capNotice || f.Remedies[0].Title != "Bound it"): // seconds apart: it may be filling
			t.Errorf("scores %d, %s", score, f.Summary)
		case adds && !strings.Contains(f.Summary, "one block that append makes larger"):
			t.Errorf("says %q", f.Summary)
		}
		if f, score := scoreOf(t, in, "gc-ballast"); score > 0 {
			t.Errorf("called a ballast, %d: %s", score, f.Summary)
		}
		// the first profile alone: whether it grows cannot be known
		alone := diagnose.Input{Evidence: in.Evidence[1:]}
		if f, score := scoreOf(t, alone, "mem-giant"); strings.HasPrefix(way, "adds-") && score > 0 &&
			!strings.Contains(f.Remedies[0].Text, "limit their number") {
			t.Errorf("alone it advises %q", f.Remedies[0].Text)
		}
	})
}
