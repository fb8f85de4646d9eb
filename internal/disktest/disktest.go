//go:build linux

package disktest

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

// childVar is set in the second run.
const childVar = "CASEBOOK_TEST_NAMESPACE"

// InNamespace runs the calling test again in a namespace of its own (for anyone but root in a user namespace too) and
// reports whether this is that second run. The first run passes or fails as the second does, and should return.
func InNamespace(t *testing.T) bool {
	t.Helper()
	if os.Getenv(childVar) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), childVar+"=1")
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

// Mount gives the test a tmpfs of size bytes.
func Mount(t *testing.T, size int, flags uintptr) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("mounting a tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// Fill writes one file that leaves free bytes, rounded up to a page, and returns its path. Others may write to dir
// meanwhile.
func Fill(t *testing.T, dir string, free int64) (file string) {
	t.Helper()
	file = filepath.Join(dir, "filler")
	if err := fill(file, free); err != nil {
		t.Fatal(err)
	}
	return file
}

func fill(file string, free int64) (err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for {
		var st syscall.Statfs_t
		if err := syscall.Fstatfs(int(f.Fd()), &st); err != nil {
			return err
		}
		more := int64(st.Bavail)*int64(st.Bsize) - free
		if more < 0 {
			info, err := f.Stat()
			if err != nil {
				return err
			}
			return f.Truncate(max(0, info.Size()+more))
		}
		if _, err := f.Write(make([]byte, more)); !errors.Is(err, syscall.ENOSPC) {
			return err
		} // otherwise somebody took room since it was counted, and some of it is given back
	}
}
