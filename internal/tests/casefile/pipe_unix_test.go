//go:build unix

package casefile_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A pipe would block whoever opens it until somebody writes to it.
func TestPipeDoesNotBlock(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a"})
	if err := syscall.Mkfifo(filepath.Join(f.Path, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := f.Read("pipe"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Read: %v", err)
	}
	if _, err := f.OpenFile("pipe"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("OpenFile: %v", err)
	}
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, caseName), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := casefile.Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Open: %v", err)
	}
}
