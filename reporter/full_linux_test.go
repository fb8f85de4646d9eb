package reporter

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// These tests need a file system of their own. They run themselves again in a new mount namespace (for anyone but root
// in a new user namespace too), where they mount a tmpfs that nobody else sees and that goes with the process.

// inNamespace runs the calling test again in a namespace and reports whether this is that second run.
func inNamespace(t *testing.T) bool {
	t.Helper()
	if os.Getenv(childVar) == "namespace" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childVar+"=namespace")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), strings.Contains(string(out), "--- SKIP"):
		t.Skipf("this machine gives no namespace to mount a tmpfs in: %v\n%s", err, out)
	case err != nil:
		t.Fatalf("in the namespace: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	return false
}

// smallDisk gives the test a tmpfs of size bytes.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("mounting a tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fillDisk leaves free bytes free in dir, rounded up to a page.
func fillDisk(t *testing.T, dir string, free int64) {
	t.Helper()
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, max(0, int64(st.Bavail)*st.Bsize-free))
	if err := os.WriteFile(filepath.Join(dir, "filler"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSpoolOnFullDisk lets the disk be full at every page of an add: what waits stays whole, nothing of the new case
// stays, and with room again it is kept under the same reporter.
func TestSpoolOnFullDisk(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	const page = 4096
	dir := t.TempDir()
	first, second := mustCommit(t, dir, 1, 10*page), mustCommit(t, dir, 2, 10*page)
	refused, kept := 0, 0
	for free := int64(0); free < 16*page; free += page {
		disk := smallDisk(t, 1<<20)
		spool := filepath.Join(disk, "spool")
		c := collectorOf(t, "http://127.0.0.1:1", spool, nil)
		if err := c.outbox.keep(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		fillDisk(t, disk, free)
		err := c.outbox.keep(t.Context(), second)
		if err == nil {
			kept++
			wantFiles(t, spool, first.Case.ID+".zip", second.Case.ID+".zip")
			continue
		}
		refused++
		if !errors.Is(err, syscall.ENOSPC) || isFinal(err) || !strings.Contains(err.Error(), "the disk is full: free some space") {
			t.Errorf("%d free: keep said %v", free, err)
		}
		wantFiles(t, spool, first.Case.ID+".zip")
		if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
			t.Fatal(err)
		}
		if err := c.outbox.keep(t.Context(), second); err != nil {
			t.Errorf("%d free: with room again: %v", free, err)
		}
		wantFiles(t, spool, first.Case.ID+".zip", second.Case.ID+".zip")
	}
	if refused == 0 || kept == 0 {
		t.Errorf("%d adds were refused and %d kept: the disk was not full at every point", refused, kept)
	}
	t.Logf("%d adds refused, %d kept", refused, kept)
}

// A full disk leaves no torn line in a file of cases.
func TestFileOnFullDisk(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	disk := smallDisk(t, 1<<20)
	l := &logFile{path: filepath.Join(disk, "cases.jsonl"), most: maxFileBytes, old: oldFiles}
	mustSend(t, l, 0)
	fillDisk(t, disk, 0)
	n, err := 1, error(nil)
	for ; n < 100 && err == nil; n++ {
		err = l.send(t.Context(), named(n))
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
		t.Errorf("after %d lines: %v", n, err)
	}
	if got := len(lines(t, l.path)); got != n-1 {
		t.Errorf("%d whole lines, want %d", got, n-1)
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	mustSend(t, l, n)
}
