package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// The CPU profile alone tells a select that spins from a busy one that waits. testdata/selects says how they are
// written.
func TestSelectsThatSpin(t *testing.T) {
	checkout.Need(t)
	files, err := filepath.Glob("testdata/selects/*.pb.gz")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d profiles, %v", len(files), err)
	}
	for _, file := range files {
		way := strings.TrimSuffix(filepath.Base(file), ".pb.gz")
		t.Run(way, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, score := scoreOf(t, Input{Evidence: []Evidence{{Name: "cpu.pb.gz", Data: data}}}, "goroutine-busy-poll")
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
}
