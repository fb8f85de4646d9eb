package casefile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// These tests need file systems of their own. They run themselves again in a new mount namespace (for anyone but root
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

// mount gives the test a tmpfs of size bytes.
func mount(t *testing.T, size int, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%d", size)); err != nil {
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
	data := make([]byte, int64(st.Bavail)*st.Bsize-free)
	if err := os.WriteFile(filepath.Join(dir, "filler"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFullDisk lets the disk fill up, to the page, at every point of an Add and of a Commit.
func TestFullDisk(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	const page = 4096
	results := map[string]int{}
	for free := int64(0); free < 14*page; free += page {
		dir := mount(t, 1<<20, 0)
		w, err := Create(filepath.Join(dir, "cases"), newCase())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"a", "b"}
		for _, name := range want {
			if err := w.Add(evidence(name), make([]byte, 100_000)); err != nil {
				t.Fatal(err)
			}
		}
		fillDisk(t, dir, free)
		for _, name := range []string{"c", "d", "e"} {
			err := w.Add(evidence(name), make([]byte, 3*page))
			if err == nil {
				want = append(want, name)
				continue
			}
			results["refused"]++
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
				t.Errorf("%d free: Add %s: %v", free, name, err)
			}
		}
		if fits := free/(3*page) > 0; fits && len(want) < 3 {
			t.Errorf("%d free: a file that fits was refused, with the reserve there for case.json", free)
		}
		wantVerified(t, w.Path())
		f, err := w.Commit()
		if err != nil {
			t.Fatalf("%d free: %v", free, err)
		}
		checkFull(t, f.Path, free, want)
		results[fmt.Sprint(len(want), " files")]++
	}
	t.Log(results)
	if results["2 files"] == 0 || results["3 files"] == 0 || results["5 files"] == 0 {
		t.Errorf("the disk was not full at every point: %v", results)
	}
}

// TestDiskWithRoomAgain wants a writer that met a full disk to go on once there is room, under the same name.
func TestDiskWithRoomAgain(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	dir := mount(t, 1<<20, 0)
	w, err := Create(filepath.Join(dir, "cases"), newCase())
	if err != nil {
		t.Fatal(err)
	}
	fillDisk(t, dir, 0)
	for _, size := range []int{100_000, 1000} { // the second would fit in what the reserve left
		if err := w.Add(evidence("a"), make([]byte, size)); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("Add of %d bytes on a full disk: %v", size, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "filler")); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("a"), make([]byte, 100_000)); err != nil {
		t.Error(err)
	}
	wantFiles(t, w.Path(), lockName, reserveName, "a", caseName)
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if c := wantVerified(t, f.Path).Case; len(c.Evidence) != 1 || len(c.Missing) != 2 {
		t.Errorf("%d files, %d missing, want 1 and 2", len(c.Evidence), len(c.Missing))
	}
}

// checkFull wants the files that were reported as written, and the others as missing.
func checkFull(t *testing.T, path string, free int64, want []string) {
	t.Helper()
	c := wantVerified(t, path).Case
	if len(c.Evidence) != len(want) || len(c.Missing) != 5-len(want) {
		t.Errorf("%d free: %d files, %d missing, want %d and %d", free, len(c.Evidence), len(c.Missing), len(want), 5-len(want))
	}
	for _, m := range c.Missing {
		if !strings.Contains(m.Reason, "the disk is full") {
			t.Errorf("%d free: the reason is %q", free, m.Reason)
		}
	}
	names := append([]string{lockName, caseName}, want...)
	slices.Sort(names)
	wantFiles(t, path, names...)
}

func TestCreateOnFullDisk(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	for _, free := range []int64{0, 4096, 60_000, reserveBytes} {
		dir := mount(t, 1<<20, 0)
		fillDisk(t, dir, free)
		_, err := Create(dir, newCase())
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
			t.Errorf("%d free: Create: %v", free, err)
		}
		if err := CheckDir(dir); !errors.Is(err, syscall.ENOSPC) && free < reserveBytes {
			t.Errorf("%d free: CheckDir: %v", free, err)
		}
		wantFiles(t, dir, "filler")
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	dir := mount(t, 1<<20, 0)
	f := mustCommit(t, dir, newCase(), map[string]string{"a": "a"})
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, create := Create(dir, newCase())
	if err := CheckDir(dir); err == nil || !strings.Contains(err.Error(), "the file system is read-only: choose another") {
		t.Errorf("CheckDir: %v", err)
	}
	_, recov := Recover(dir)
	for name, err := range map[string]error{
		"Create": create, "Update": f.Update(func(*Case) {}), "AddFile": f.AddFile("report.html", []byte("x")), "Remove": Remove(dir, f.Case.ID),
	} {
		if err == nil || !strings.Contains(err.Error(), "the file system is read-only: choose another") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if recov != nil {
		t.Errorf("Recover with nothing to do: %v", recov)
	}
	wantVerified(t, f.Path)
	if list, err := List(dir); err != nil || len(list) != 1 || list[0].Err != nil {
		t.Errorf("List = %+v, %v", list, err)
	}
}
