package casefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/internal/flock"
)

// Remove deletes the case with this ID, finished or not, with all its evidence. It refuses a case that somebody is
// writing to, or is diagnosing, drawing or telling of.
func (d Dir) Remove(id string) error {
	if err := remove(string(d), id); err != nil {
		return fmt.Errorf("removing case %.100q from %q: %w", id, d, explain(err))
	}
	return nil
}

func remove(dir, id string) error {
	if !ValidID(id) {
		return errors.New("this is not the ID of a case")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	found := fs.ErrNotExist
	for _, name := range []string{id, tmpPrefix + id} {
		if info, err := os.Lstat(filepath.Join(abs, name)); err != nil || !info.IsDir() {
			continue
		}
		found = nil
		if err := removeFolder(filepath.Join(abs, name)); err != nil {
			return err
		}
	}
	return found
}

// removeFolder takes the case's name away first: a removal that is interrupted leaves no half case, but a scratch
// folder for Recover to clear.
func removeFolder(path string) error {
	s, err := withdraw(path)
	if err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		s.close()
		return err
	}
	return s.discard()
}

// removeTogether is how many cases removeFolders has open at a time, with two files each.
const removeTogether = 32

// removeFolders is removeFolder for many folders in dir: it waits for the disk once for each 32 of them. An error is at
// the index of its path.
func removeFolders(dir string, paths []string) []error {
	errs := make([]error, 0, len(paths))
	for len(paths) > 0 {
		n := min(len(paths), removeTogether)
		errs = append(errs, removeSome(dir, paths[:n])...)
		paths = paths[n:]
	}
	return errs
}

func removeSome(dir string, paths []string) []error {
	errs, stages := make([]error, len(paths)), make([]*stage, len(paths))
	for i, path := range paths {
		stages[i], errs[i] = withdraw(path)
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		err = errors.Join(syncFolder(root, "."), root.Close())
	}
	for i, s := range stages {
		switch {
		case s == nil:
		case err != nil:
			errs[i] = err
			s.close()
		default:
			errs[i] = s.discard()
		}
	}
	return errs
}

// withdraw gives a case that no process works on the name of a scratch folder.
func withdraw(path string) (*stage, error) {
	s, err := openStage(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return nil, err
	}
	err = unattended(s.root)
	if err == nil {
		err = s.rename(scratchName + rand.Text())
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// unattended refuses a case whose Todo somebody has: its page may be half drawn, its report half packed. A folder whose
// lock cannot be taken for lack of permission cannot be renamed either.
func unattended(root *os.Root) error {
	t, err := takeTodo(root)
	if t != nil {
		return t.file.Close()
	}
	if errors.Is(err, flock.ErrInUse) {
		return err
	}
	return nil // it has none, or one that nobody can read
}
