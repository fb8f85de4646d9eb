package casefile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/internal/disktest"
)

// Where no index can be written, on a full disk or a read-only one, there is no index, and nothing else is missing.
func TestIndexThatCannotBeWritten(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 8<<20, 0)
	for i := range 2 * indexWorth {
		plainCase(t, dir, i)
	}
	filler := disktest.Fill(t, dir, 4096)
	wantTruth(t, dir, "on a full disk")
	wantNoIndex(t, dir)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	wantTruth(t, dir, "on a read-only disk")
	wantNoIndex(t, dir)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	wantTruth(t, dir, "with room again")
	if n := indexed(t, dir); n != 2*indexWorth {
		t.Errorf("with room again the index has %d cases, want all", n)
	}
}

// wantNoIndex wants no index and no part of one.
func wantNoIndex(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range []string{indexName, partPrefix + "*"} {
		if found, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(found) > 0 {
			t.Errorf("there is %q (%v)", found, err)
		}
	}
}
