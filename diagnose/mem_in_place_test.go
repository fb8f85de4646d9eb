package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// A slice or buffer that is only added to is one object, and a leak. What is read as a whole, written out when full,
// built again, or loaded once is none, though its blocks are as large. testdata/blocks says how they are written.
func TestGrowthInPlace(t *testing.T) {
	checkout.Need(t)
	files, err := filepath.Glob("testdata/blocks/*.1.pb.gz")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d profiles, %v", len(files), err)
	}
	for _, first := range files {
		way := strings.TrimSuffix(filepath.Base(first), ".1.pb.gz")
		t.Run(way, func(t *testing.T) {
			var in Input
			for _, file := range []string{first, "testdata/blocks/" + way + ".2.pb.gz"} {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				in.Evidence = append(in.Evidence, Evidence{Name: filepath.Base(file), Data: data})
			}
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
			alone := Input{Evidence: in.Evidence[1:]}
			if f, score := scoreOf(t, alone, "mem-giant"); strings.HasPrefix(way, "adds-") && score > 0 &&
				!strings.Contains(f.Remedies[0].Text, "limit their number") {
				t.Errorf("alone it advises %q", f.Remedies[0].Text)
			}
		})
	}
}
