package store

import (
	"errors"
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

// A server that was killed leaves its folder among the system's temporary files. The next one removes it, and not that
// of a server that runs.
func TestOpenRemovesAbandonedScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	running, err := newScratch("")
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * sweepAge)
	killed := filepath.Join(os.TempDir(), scratchPrefix+"killed")
	if err := errors.Join(os.Mkdir(killed, 0o700), os.WriteFile(filepath.Join(killed, scratchLock), nil, 0o600),
		os.Chtimes(filepath.Join(killed, scratchLock), old, old), os.Chtimes(running.lock.Name(), old, old)); err != nil {
		t.Fatal(err)
	}
	s, err := newScratch("")
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{killed: false, running.dir: true, s.dir: true} {
		if _, err := os.Stat(folder); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", folder, err == nil, want)
		}
	}
	if err := errors.Join(s.remove(), running.remove()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("closed stores leave %v, %v", left, err)
	}
}
