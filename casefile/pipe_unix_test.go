//go:build unix

package casefile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

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
