//go:build unix

package casefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Open: %v", err)
	}
}

// A file that becomes a pipe between the look at it and its opening makes nobody wait, and is not taken for the file.
func TestPipeInPlaceOfAFile(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 300 { // it changes all the time
			_ = os.Remove(file)
			_ = os.WriteFile(file, []byte("text"), 0o600)
			_ = syscall.Mkfifo(pipe, 0o600)
			_ = os.Rename(pipe, file)
		}
	}()
	for {
		select {
		case <-ended:
			return
		default:
		}
		f, info, err := openFile(root, "file")
		if err != nil {
			continue
		}
		if now, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !now.Mode().IsRegular() {
			t.Errorf("%v was opened, %v, want a file", info.Mode(), err)
		}
		_ = f.Close()
	}
}
