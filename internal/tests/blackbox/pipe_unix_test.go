//go:build unix

package blackbox_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the folder would block whoever opens it.
func TestFindPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, ringPrefix+"pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	wantFound(t, dir, 0)
}
