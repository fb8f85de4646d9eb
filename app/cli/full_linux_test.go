package cli_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// smallDisk mounts a file system of its own for a test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount the small file system that this test fills")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	return dir
}

func fill(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 4<<20), 0o600); err != nil {
		t.Logf("filling: %v", err) // the test wants it full
	}
}

// A disk that old cases have filled does not prevent the start: they are pruned first.
func TestFullDiskOfOldCases(t *testing.T) {
	dir := smallDisk(t, "4m")
	ids, url := oldCases(t, dir, 3, 10), start(t)
	fill(t, dir)
	casebook(t, t.TempDir(), "watch", "--for", "1s", "--keep-cases", "3", "--dir", dir, url).want(t, 2,
		"cannot hold cases")
	casebook(t, t.TempDir(), "watch", "--for", "1s", "--keep-cases", "2", "--dir", dir, url).want(t, 0,
		"removed 1 case", "watching victim")
	wantLeft(t, dir, ids[0], ids[2])
}

func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "256k")
	fill(t, dir)
	casebook(t, t.TempDir(), "watch", "--dir", dir, start(t)).want(t, 2, "cannot hold cases", "the disk is full")
}
