package cli_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may mount the small file system that this test fills")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 256<<10), 0o600); err != nil {
		t.Logf("filling: %v", err) // full is what is wanted
	}
	casebook(t, t.TempDir(), "watch", "--dir", dir, start(t)).want(t, 2, "cannot hold cases", "the disk is full")
}
