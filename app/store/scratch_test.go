package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a process that was killed has left in the scratch folder goes a day later, and nothing that is not ours.
func TestOpenSweepsScratch(t *testing.T) {
	cfg := sqliteConfig(t)
	old := time.Now().Add(-2 * sweepAge)
	for _, name := range []string{"upload-1", "case-2", "notes", "upload-new"} {
		path := filepath.Join(cfg.Scratch, name)
		if err := os.MkdirAll(filepath.Join(path, "inside"), 0o700); err != nil {
			t.Fatal(err)
		}
		if name != "upload-new" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	openStore(t, cfg)
	left, err := os.ReadDir(cfg.Scratch)
	if err != nil || len(left) != 2 || left[0].Name() != "notes" || left[1].Name() != "upload-new" {
		t.Errorf("the folder holds %v, %v, want notes and upload-new", left, err)
	}
}
