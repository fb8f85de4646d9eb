// Package blackbox keeps a process's last minutes on disk, in a form that survives SIGKILL and the OOM killer.
//
// The problem: the worst ends of a process leave no word. The kernel's OOM killer, an orchestrator that lost patience,
// a crash of the runtime: no deferred call runs, and the vitals that would tell the reason die with the memory they
// were in. So each sample goes into a ring file as it is taken. The next start finds a ring whose owner is gone, and
// tells of the end as much as can be known.
//
// The file has a fixed size, written in full when it is made, so that a disk that fills up later takes nothing from it.
// A sample is one record with a checksum, written with one pwrite through a descriptor that stays open, without a wait
// for the disk: what was handed to the kernel survives the process. The owner holds an advisory lock (flock) on the
// file, which the kernel takes back however the process ends: a ring that can be locked has lost its owner. A process
// that ends normally removes its ring.
//
// Limits: a power cut may lose what the kernel has not written back, up to half a minute. Systems and file systems
// without flock (Windows, some network file systems) have no black box: there a ring could not be told from that of a
// living process. File systems that write each block to a new place (btrfs, ZFS) can still run out of room later; Add
// says so.
package blackbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
	"github.com/gocasebook/casebook/vitals"
)

// Config says what a Recorder keeps.
type Config struct {
	Dir      string          // the folder of the cases; made if needed (0700)
	Target   casefile.Target // the process under watch
	Catalog  *vitals.Catalog // names the samples' signals; nil means the built-in ones
	Samples  int             // how many are kept, 36,000 at most; 0 means 600
	Interval time.Duration   // between samples, for readers; 0 means 1 s
}

const (
	defaultSamples  = 600 // 10 minutes at a sample a second: 370 KiB on disk
	maxSamples      = 36_000
	defaultInterval = time.Second
)

func (c Config) withDefaults() (Config, error) {
	if c.Samples == 0 {
		c.Samples = defaultSamples
	}
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	var errs []error
	if c.Dir == "" {
		errs = append(errs, errors.New("field Dir is empty: give the folder of the cases"))
	}
	if c.Samples < 0 || c.Samples > maxSamples {
		errs = append(errs, fmt.Errorf("field Samples is %d; it must be from 1 to %d", c.Samples, maxSamples))
	}
	if c.Interval < 0 {
		errs = append(errs, fmt.Errorf("field Interval is %s; it must be positive", c.Interval))
	}
	return c, errors.Join(errs...)
}

// ErrNoLock says that there can be no black box here, because the system or the file system has no locks.
var ErrNoLock = errors.New("files cannot be locked here, so nothing would distinguish the ring of a dead process " +
	"from that of a running one")

// lock takes the lock of a ring; flock.ErrInUse says that its owner is alive, or that somebody else is already
// reporting it.
func lock(f *os.File) error {
	err := flock.Try(f)
	if errors.Is(err, flock.ErrUnsupported) {
		return ErrNoLock
	}
	return err
}

// explain adds to an error of the file system what a person can do about it.
func explain(err error) error {
	var next string
	switch {
	case errors.Is(err, ErrNoLock):
		next = "choose a folder on a local disk of a Unix system, or switch the black box off"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		next = "the disk is full: free some space or choose another folder for cases"
	case errors.Is(err, syscall.EROFS):
		next = "the file system is read-only: choose another folder for cases"
	case errors.Is(err, fs.ErrPermission):
		next = "no permission: run as the owner of these files or use a folder of your own"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}
