package casefile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/disktest"
	"github.com/gocasebook/casebook/internal/filetest"
)

// TestFullDisk lets the disk fill up at every page of an Add and of a Commit.
func TestFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	const page = 4096
	results := map[string]int{}
	for free := int64(0); free < 14*page; free += page {
		dir := disktest.Mount(t, 1<<20, 0)
		w, err := casefile.Dir(filepath.Join(dir, "cases")).Create(newCase())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"a", "b"}
		for _, name := range want {
			if err := w.Add(evidence(name), make([]byte, 100_000)); err != nil {
				t.Fatal(err)
			}
		}
		disktest.Fill(t, dir, free)
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

// TestDiskWithRoomAgain: a writer that met a full disk continues under the same name once there is space.
func TestDiskWithRoomAgain(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 1<<20, 0)
	w, err := casefile.Dir(filepath.Join(dir, "cases")).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	disktest.Fill(t, dir, 0)
	for _, size := range []int{100_000, 1000} { // the second would fit in what the reserve left free
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
	filetest.Want(t, w.Path(), lockName, reserveName, "a", caseName)
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if c := wantVerified(t, f.Path).Case; len(c.Evidence) != 1 || len(c.Missing) != 2 {
		t.Errorf("%d files, %d missing, want 1 and 2", len(c.Evidence), len(c.Missing))
	}
}

// checkFull wants the files that were reported as written to be there, and the others to be listed as missing.
func checkFull(t *testing.T, path string, free int64, want []string) {
	t.Helper()
	c := wantVerified(t, path).Case
	if len(c.Evidence) != len(want) || len(c.Missing) != 5-len(want) {
		t.Errorf("%d free: %d files, %d missing, want %d and %d", free, len(c.Evidence), len(c.Missing), len(want),
			5-len(want))
	}
	for _, m := range c.Missing {
		if !strings.Contains(m.Reason, "the disk is full") {
			t.Errorf("%d free: the reason is %q", free, m.Reason)
		}
	}
	names := append([]string{lockName, caseName}, want...)
	slices.Sort(names)
	filetest.Want(t, path, names...)
}

func TestCreateOnFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	for _, free := range []int64{0, 4096, 60_000, reserveBytes} {
		dir := disktest.Mount(t, 1<<20, 0)
		disktest.Fill(t, dir, free)
		_, err := casefile.Dir(dir).Create(newCase())
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
			t.Errorf("%d free: Create: %v", free, err)
		}
		if err := casefile.Dir(dir).Check(); !errors.Is(err, syscall.ENOSPC) && free < reserveBytes {
			t.Errorf("%d free: Check: %v", free, err)
		}
		filetest.Want(t, dir, "filler")
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 1<<20, 0)
	f := mustCommit(t, dir, newCase(), map[string]string{"a": "a"})
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, create := casefile.Dir(dir).Create(newCase())
	if err := casefile.Dir(dir).Check(); err == nil || !strings.Contains(err.Error(),
		"the file system is read-only: choose another") {
		t.Errorf("Check: %v", err)
	}
	_, recov := casefile.Dir(dir).Recover()
	for name, err := range map[string]error{
		"Create": create, "Update": f.Update(func(*casefile.Case) {}), "AddFile": f.AddFile("report.html", []byte("x")),
		"Remove": casefile.Dir(dir).Remove(f.Case.ID),
	} {
		if err == nil || !strings.Contains(err.Error(), "the file system is read-only: choose another") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if recov != nil {
		t.Errorf("Recover with nothing to do: %v", recov)
	}
	wantVerified(t, f.Path)
	if list, err := casefile.Dir(dir).List(); err != nil || len(list) != 1 || list[0].Err != nil {
		t.Errorf("List = %+v, %v", list, err)
	}
}
