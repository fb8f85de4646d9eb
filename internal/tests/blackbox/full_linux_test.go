package blackbox_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/disktest"
)

// A full disk refuses a new ring and leaves nothing of it behind.
func TestCreateOnFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	for _, free := range []int64{0, 4096, slotSize, 3 * slotSize} {
		dir := disktest.Mount(t, 2<<20, 0)
		disktest.Fill(t, dir, free)
		_, err := blackbox.Create(blackbox.Config{Dir: dir})
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
			t.Errorf("%d free: Create: %v", free, err)
		}
		wantFiles(t, dir, 1)
	}
}

// A disk that fills up later takes nothing from a ring: every record already has its space.
func TestAddOnFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 2<<20, 0)
	r := mustCreate(t, blackbox.Config{Dir: dir, Samples: 100})
	disktest.Fill(t, dir, 0)
	for i := range 250 {
		mustAdd(t, r, sample(i))
		if err := r.SetTarget(phones()); err != nil {
			t.Fatal(err)
		}
	}
	abandon(t, r)
	if n := len(mustFind(t, dir).Samples); n != 100 {
		t.Errorf("%d samples, want 100", n)
	}
}

func TestReadOnly(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 2<<20, 0)
	abandon(t, mustCreate(t, blackbox.Config{Dir: dir}))
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	const want = "the file system is read-only: choose another folder"
	if _, err := blackbox.Create(blackbox.Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Create: %v", err)
	}
	if records, err := blackbox.Find(dir); len(records) != 0 || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Find = %d records, %v", len(records), err)
	}
}
