package casefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// scratchAge is how long a scratch folder is left alone: its maker needs a moment between making and locking it.
const scratchAge = time.Minute

// Recover finishes the cases in dir that a process left behind unfinished, and clears scratch folders. Each gets an
// entry in Missing that says so. Cases that a living process still writes are left alone. The folders returned are
// good whatever the error says; the error joins one for each case that could not be finished. It is for the start of
// a watch.
func (d Dir) Recover() ([]*Folder, error) {
	list, err := scan(string(d))
	if err != nil {
		return nil, fmt.Errorf("recovering cases in %q: %w", d, explain(err))
	}
	var done []*Folder
	var failed []error
	for _, e := range list {
		if !e.Unfinished {
			continue
		}
		f, err := finishFolder(e)
		switch {
		case err == nil:
			done = append(done, f)
		// its own process may just have committed it
		case !errors.Is(err, flock.ErrInUse) && !errors.Is(err, fs.ErrNotExist):
			failed = append(failed, fmt.Errorf("recovering case %s: %w; its evidence is kept in %s", e.ID, explain(err),
				e.Path))
		}
	}
	failed = append(failed, clearScratch(string(d))...)
	failed = append(failed, clearLeftovers(string(d), time.Now())...)
	return done, errors.Join(failed...)
}

// finishFolder does what the Writer of an unfinished case did not come to do.
func finishFolder(e place) (*Folder, error) {
	s, err := openStage(filepath.Dir(e.Path), filepath.Base(e.Path))
	if err != nil {
		return nil, err
	}
	defer s.close()
	if s.lock == nil {
		return nil, fmt.Errorf("%w: stop every Casebook that writes here, then rename the folder to %s",
			flock.ErrUnsupported, e.ID)
	}
	f := &Folder{Path: e.Path}
	if err := clearParts(s.root); err != nil {
		return nil, err
	}
	if empty(s.root) {
		return nil, errors.Join(fs.ErrNotExist, s.discard())
	}
	if err := f.update(s.root, closeCut); err != nil {
		return nil, err
	}
	if f.Case.ID != e.ID {
		return nil, fmt.Errorf("the folder holds case %s", f.Case.ID)
	}
	if err := s.move(e.ID); err != nil {
		return nil, err
	}
	f.Path = s.path()
	return f, nil
}

// closeCut says in the case that it was cut short, once.
func closeCut(c *Case) {
	if c.Closed.IsZero() {
		c.Closed = time.Now().UTC()
		c.Missing = append(c.Missing, Missing{Kind: "case", Phase: After,
			Reason: "Casebook ended before the case was finished: the evidence it had yet to take is missing"})
	}
}

// clearParts removes the reserve and the files whose writing was cut short. A file that was whole but not yet listed
// has its final name and stays.
func clearParts(root *os.Root) error {
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, file := range files {
		if name := file.Name(); name == reserveName || strings.HasPrefix(name, partPrefix) {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// clearScratch removes the scratch folders that no process works on.
func clearScratch(dir string) []error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil // scan has just read the same folder: what is gone needs no clearing
	}
	var failed []error
	for _, file := range files {
		if !file.IsDir() || !strings.HasPrefix(file.Name(), scratchName) {
			continue
		}
		if info, err := file.Info(); err != nil || time.Since(info.ModTime()) < scratchAge {
			continue
		}
		s, err := openStage(dir, file.Name())
		if err == nil {
			err = s.discard()
		}
		if err != nil && !errors.Is(err, flock.ErrInUse) {
			failed = append(failed, fmt.Errorf("clearing %s: %w", filepath.Join(dir, file.Name()), explain(err)))
		}
	}
	return failed
}

// empty reports whether a folder has nothing in it that anybody could miss: neither case.json nor evidence.
func empty(root *os.Root) bool {
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return false
	}
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), ".") {
			return false
		}
	}
	return true
}

// clearLeftovers removes the files in a folder that a process was writing when it died.
func clearLeftovers(dir string, now time.Time) []error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // reading the folder reports it
	}
	defer root.Close()
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	var failed []error
	for _, file := range files {
		name := file.Name()
		if !file.Type().IsRegular() || !strings.HasPrefix(name, partPrefix) && !strings.HasPrefix(name, checkPrefix) ||
			!flock.Abandoned(root, name, now) {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, fmt.Errorf("clearing %s: %w", filepath.Join(dir, name), explain(err)))
		}
	}
	return failed
}
