package reporter

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/internal/disktest"
)

// TestSpoolOnFullDisk lets the disk be full at every page of an add. What waits stays complete, nothing of the new case
// stays, and once there is space the same reporter keeps it.
func TestSpoolOnFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	const page = 4096
	dir := t.TempDir()
	first, second := mustCommit(t, dir, 1, 10*page), mustCommit(t, dir, 2, 10*page)
	refused, kept := 0, 0
	for free := int64(0); free < 16*page; free += page {
		disk := disktest.Mount(t, 1<<20, 0)
		spool := filepath.Join(disk, "spool")
		c := collectorOf(t, "http://127.0.0.1:1", spool, nil)
		if err := c.outbox.keep(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		disktest.Fill(t, disk, free)
		err := c.outbox.keep(t.Context(), second)
		if err == nil {
			kept++
			casetest.WantSpooled(t, spool, first.Case.ID+".zip", second.Case.ID+".zip")
			continue
		}
		refused++
		if !errors.Is(err, syscall.ENOSPC) || isFinal(err) ||
			!strings.Contains(err.Error(), "the disk is full: free some space") {
			t.Errorf("%d free: keep said %v", free, err)
		}
		casetest.WantSpooled(t, spool, first.Case.ID+".zip")
		if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
			t.Fatal(err)
		}
		if err := c.outbox.keep(t.Context(), second); err != nil {
			t.Errorf("%d free: with room again: %v", free, err)
		}
		casetest.WantSpooled(t, spool, first.Case.ID+".zip", second.Case.ID+".zip")
	}
	if refused == 0 || kept == 0 {
		t.Errorf("%d adds were refused and %d kept: the disk was not full at every point", refused, kept)
	}
	t.Logf("%d adds refused, %d kept", refused, kept)
}

// A full disk leaves no torn line in a file of cases.
func TestFileOnFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	disk := disktest.Mount(t, 1<<20, 0)
	l := &logFile{path: filepath.Join(disk, "cases.jsonl"), most: maxFileBytes, old: oldFiles}
	mustSend(t, l, 0)
	disktest.Fill(t, disk, 0)
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
