package reporter

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// A spool is a folder of cases that wait. Its files are written under another name first, fsynced and renamed: what
// has an item's name is whole. Adding needs no lock; sending, and clearing up, is one process's at a time.
type spool struct {
	dir  string
	most int64 // bytes
}

// maxItems bounds the number of files, so that listing a spool takes milliseconds.
const maxItems = 1000

const (
	spoolLock  = ".lock"
	partPrefix = ".part-" // a file being written, locked by its writer
)

// open makes the folder if needed. No name leads out of the root.
func (s *spool) open() (*os.Root, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(s.dir)
}

// locked runs fn while no other process, and no other part of this one, sends from the folder; errElsewhere if one
// does. Where there are no locks nothing guards: a case may be sent twice, which its key tells the server.
func (s *spool) locked(fn func(*os.Root) error) error {
	root, err := s.open()
	if err != nil {
		return explain(err)
	}
	defer root.Close()
	lock, err := root.OpenFile(spoolLock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return explain(err)
	}
	defer lock.Close()
	if err := flock.Try(lock); errors.Is(err, flock.ErrInUse) {
		return errElsewhere
	} else if err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return err
	}
	return fn(root)
}

// list is what the folder holds, oldest first.
func (s *spool) list(root *os.Root) ([]item, error) {
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var items []item
	for _, file := range files {
		it, ok := parseItem(file.Name())
		if !ok || !file.Type().IsRegular() {
			continue
		}
		info, err := file.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // sent or dropped since
		}
		if err != nil {
			return nil, err
		}
		it.size = info.Size()
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.name(), b.name()) })
	return items, nil
}

// waiting is what is to be sent, oldest first.
func (s *spool) waiting(root *os.Root) ([]item, error) {
	items, err := s.list(root)
	return slices.DeleteFunc(items, func(it item) bool { return it.refused != 0 }), err
}

// count is how many wait; 0 if the folder cannot be read, which deliver says.
func (s *spool) count() int {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return 0
	}
	defer root.Close()
	items, _ := s.waiting(root)
	return len(items)
}

// remove takes out what has arrived. It need not be on the disk at once: what a crash brings back is sent again under
// the same key.
func (s *spool) remove(root *os.Root, it item) error {
	if err := root.Remove(it.name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes what dead writers left. The lock is held.
func (s *spool) sweep(root *os.Root, now time.Time) error {
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		if strings.HasPrefix(file.Name(), partPrefix) && flock.Abandoned(root, file.Name(), now) {
			errs = append(errs, root.Remove(file.Name()))
		}
	}
	return errors.Join(errs...)
}

// reprieve gives another chance to what was refused for reasons outside the case. The lock is held.
func (s *spool) reprieve(root *os.Root) error {
	items, err := s.list(root)
	for _, it := range items {
		if secondChance(it.refused) {
			err = errors.Join(err, root.Rename(it.name(), it.refusedWith(0).name()))
		}
	}
	return err
}

// secondChance reports whether a refusal may have been the fault of the configuration.
func secondChance(status int) bool {
	return status >= 300 && status < 400 || slices.Contains([]int{401, 403, 404, 405, 407, 410}, status)
}
