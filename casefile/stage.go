package casefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gocasebook/casebook/internal/flock"
)

// A stage is a folder under way to its place: locked, so that Recover in another process leaves it alone.
type stage struct {
	dir  string // the folder for cases, absolute
	name string // the folder's present name in dir
	root *os.Root
	lock *folderLock // nil where the file system has no locks
}

// newStage makes an empty scratch folder in dir.
func newStage(dir string) (*stage, error) {
	s := &stage{dir: dir, name: scratchName + rand.Text()}
	if err := os.Mkdir(s.path(), folderMode); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		os.Remove(s.path())
		return nil, err
	}
	return s, nil
}

// openStage takes over a folder that exists; flock.ErrInUse while somebody else works on it.
func openStage(dir, name string) (*stage, error) {
	s := &stage{dir: dir, name: name}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *stage) path() string { return filepath.Join(s.dir, s.name) }

func (s *stage) open() error {
	root, err := os.OpenRoot(s.path())
	if err != nil {
		return err
	}
	lock, err := tryLock(root)
	if err != nil && !errors.Is(err, flock.ErrUnsupported) {
		root.Close()
		return err
	}
	s.root, s.lock = root, lock
	return nil
}

// move renames the folder within dir and makes that last. It never replaces another one. The lock stays held, except
// on Windows, where a folder with an open file in it cannot be renamed.
func (s *stage) move(name string) error {
	if s.name != name { // otherwise an earlier move got as far as the rename
		if err := s.rename(name); err != nil {
			return err
		}
	}
	return s.sync()
}

// sync waits until the folder's name is on the disk.
func (s *stage) sync() error {
	dir, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(dir, "."), dir.Close())
}

func (s *stage) rename(name string) error {
	to := filepath.Join(s.dir, name)
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s is already there: %w", to, os.ErrExist)
	}
	if runtime.GOOS != "windows" {
		if err := os.Rename(s.path(), to); err != nil {
			return err
		}
		s.name = name
		return nil
	}
	s.close()
	err := os.Rename(s.path(), to)
	if err == nil {
		s.name = name
	}
	return errors.Join(err, s.open())
}

// close gives the folder free.
func (s *stage) close() {
	s.lock.release()
	s.root.Close()
}

// discard removes the folder with all that is in it.
func (s *stage) discard() error {
	if runtime.GOOS == "windows" {
		s.close()
		return os.RemoveAll(s.path())
	}
	defer s.close() // last: a Recover elsewhere sees the lock held until nothing is left
	return os.RemoveAll(s.path())
}
