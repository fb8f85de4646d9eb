package blackbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
	"github.com/gocasebook/casebook/vitals"
)

// A Record is the ring of a process that is gone. A lock holds it, so that no other process reports the same end, until
// it is removed or released.
type Record struct {
	Path     string
	Target   casefile.Target
	PID      int             // of the process that wrote it
	Started  time.Time       // when it was begun
	Interval time.Duration   // between samples, at its beginning
	Catalog  *vitals.Catalog // of the samples
	Samples  []vitals.Sample // oldest first; none if the process ended before its first
	Rebooted bool            // the machine has been started again since
	// processes of its cgroup that the kernel's OOM killer has killed since Started; −1 when unknown
	OOMKills int64

	file *os.File // holds the lock; nil once removed or released
}

const (
	// maxRings bounds what one Find claims: rings of a crash loop that nothing came to report. The newest tell most;
	// the others wait for the next Find.
	maxRings = 16
	// partAge is how long a file that is being made is left alone: its maker needs a moment between making and locking
	// it.
	partAge = time.Minute
	// damagedAge is how long a damaged ring is kept for people who want to look at it.
	damagedAge = 7 * 24 * time.Hour
)

// Find claims the rings in dir whose owner is gone, newest first. Rings of the living, and those that another process
// tells of at present, are passed over. The records returned are good whatever the error says; it joins one for each
// ring that could not be read, which is moved aside and kept for a week, so that it is reported once.
func Find(dir string) ([]*Record, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for black boxes: %w", err)
	}
	names, err := ringNames(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for black boxes: %w", explain(err))
	}
	var records []*Record
	var failed []error
	for _, name := range names {
		if len(records) == maxRings {
			break
		}
		r, err := claim(filepath.Join(dir, name), thisSystem())
		if err != nil {
			failed = append(failed, err)
		}
		if r != nil {
			records = append(records, r)
		}
	}
	return records, errors.Join(failed...)
}

// ringNames lists the rings in dir, newest first, and clears away what is left of others. A folder that is not there
// has none.
func ringNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var rings []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // gone meanwhile, or not ours
		}
		age := time.Since(info.ModTime())
		switch name := e.Name(); {
		case strings.HasPrefix(name, damagedPrefix) && age > damagedAge:
			_ = os.Remove(filepath.Join(dir, name)) // if not now, then at the next start
		case strings.HasPrefix(name, ringPrefix) && strings.HasSuffix(name, partSuffix):
			if age > partAge {
				clearPart(filepath.Join(dir, name))
			}
		case strings.HasPrefix(name, ringPrefix):
			rings = append(rings, info)
		}
	}
	slices.SortStableFunc(rings, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	names := make([]string, len(rings))
	for i, info := range rings {
		names[i] = info.Name()
	}
	return names, nil
}

// clearPart removes what a process that was killed while it made its ring left behind.
func clearPart(path string) {
	if f, err := lockRing(path); f != nil && err == nil {
		_ = removeRing(path, f) // if not now, then at the next start
	}
}

// lockRing opens a ring and takes its lock. It answers nil without an error when the ring has an owner, or has gone.
func lockRing(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = lock(f)
	if err == nil && !isStill(path, f) { // its owner removed it between our open and our lock
		err = flock.ErrInUse
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, flock.ErrInUse) {
		return nil, nil
	}
	return nil, err
}

// isStill reports whether the open file is what has the name.
func isStill(path string, f *os.File) bool {
	named, err := os.Lstat(path)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(named, open)
}

// claim reads one ring; nil without an error if it should not be reported.
func claim(path string, sys system) (*Record, error) {
	f, err := lockRing(path)
	if err != nil {
		return nil, fmt.Errorf("claiming the black box %s: %w", path, explain(err))
	}
	if f == nil {
		return nil, nil
	}
	h, catalog, samples, err := readRing(f)
	if err != nil {
		defer f.Close()
		return nil, fmt.Errorf("reading the black box %s: %w; %s", path, err, putAside(path))
	}
	boot := sys.boot()
	r := &Record{
		Path: path, Target: h.Target, PID: h.PID, Started: h.Started, Interval: h.Interval, Catalog: catalog,
		Samples:  samples,
		Rebooted: boot != "" && h.Boot != "" && boot != h.Boot, OOMKills: -1, file: f,
	}
	if n, ok := sys.killsSince(h.OOM); ok && !r.Rebooted {
		r.OOMKills = n
	}
	return r, nil
}

// putAside gives a damaged ring a name that Find does not look at, and says so.
func putAside(path string) string {
	aside := filepath.Join(filepath.Dir(path), damagedPrefix+strings.TrimPrefix(filepath.Base(path), ringPrefix))
	if err := os.Rename(path, aside); err != nil {
		return fmt.Sprintf("remove it by hand (%s)", explain(err))
	}
	return fmt.Sprintf("it is kept as %s for a week", filepath.Base(aside))
}

// Remove removes a ring that has been reported. Removing twice, or after Release, does nothing.
func (r *Record) Remove() error {
	if r.file == nil {
		return nil
	}
	err := removeRing(r.Path, r.file)
	r.file = nil
	if err != nil {
		return fmt.Errorf("removing the black box %s: %w", r.Path, explain(err))
	}
	return nil
}

// Release leaves the ring for the next Find: its case could not be written.
func (r *Record) Release() {
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}
