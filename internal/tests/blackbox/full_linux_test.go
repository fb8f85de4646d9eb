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
