package casefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/flock"
)

// An Entry is one case in a folder of cases. Listing opens it but reads none of its evidence.
type Entry struct {
	ID         string
	Path       string // the case's folder, absolute
	Case       Case   // empty when Err is set
	Unfinished bool   // not committed: being written at this moment, or left behind and for Recover to finish
	Err        error  // why the case cannot be read
}

// List returns the cases in dir, newest first by the time in their IDs. A case that cannot be read is an entry with
// its error. Whatever has no case's name is left out. A dir that does not exist holds no cases.
func List(dir string) ([]Entry, error) {
	list, err := scan(dir)
	if err != nil {
		return nil, fmt.Errorf("listing cases in %q: %w", dir, explain(err))
	}
	for i := range list {
		list[i].load()
	}
	return list, nil
}

// scan finds the cases by their names alone.
func scan(dir string) ([]Entry, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(abs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []Entry
	for _, file := range files {
		id, unfinished := strings.CutPrefix(file.Name(), tmpPrefix)
		if file.IsDir() && ValidID(id) {
			list = append(list, Entry{ID: id, Path: filepath.Join(abs, file.Name()), Unfinished: unfinished})
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(b.ID, a.ID) })
	return list, nil
}

// load reads the entry's case.
func (e *Entry) load() {
	f, err := Open(e.Path)
	if err == nil && f.Case.ID != e.ID {
		err = fmt.Errorf("opening case %s: the folder holds case %s: give it that name again", e.Path, f.Case.ID)
	}
	if err != nil {
		e.Err = err
		return
	}
	e.Case = f.Case
}

// Find returns the one case in dir whose ID is, or begins with, prefix. The error names the candidates when there are
// several, and wraps fs.ErrNotExist when there is none.
func Find(dir, prefix string) (Entry, error) {
	list, err := scan(dir)
	if err != nil {
		return Entry{}, fmt.Errorf("finding case %.100q in %q: %w", prefix, dir, explain(err))
	}
	list = slices.DeleteFunc(list, func(e Entry) bool { return !strings.HasPrefix(e.ID, prefix) })
	if i := slices.IndexFunc(list, func(e Entry) bool { return e.ID == prefix }); i >= 0 {
		list = list[i : i+1]
	}
	switch {
	case len(list) == 0:
		return Entry{}, fmt.Errorf("finding case %.100q in %q: %w: no case has an ID that begins so", prefix, dir, fs.ErrNotExist)
	case len(list) > 1:
		return Entry{}, fmt.Errorf("finding case %.100q in %q: it could be any of %s: give more of the ID", prefix, dir, someIDs(list))
	}
	list[0].load()
	return list[0], nil
}

// someIDs names the first few entries.
func someIDs(list []Entry) string {
	const most = 5
	var ids []string
	for _, e := range list[:min(len(list), most)] {
		ids = append(ids, e.ID)
	}
	if more := len(list) - most; more > 0 {
		ids = append(ids, fmt.Sprintf("%d more", more))
	}
	return strings.Join(ids, ", ")
}

// Remove deletes the case with this ID, finished or not, with all its evidence. It refuses a case that somebody is
// writing to, or is diagnosing, drawing or telling of.
func Remove(dir, id string) error {
	if err := remove(dir, id); err != nil {
		return fmt.Errorf("removing case %.100q from %q: %w", id, dir, explain(err))
	}
	return nil
}

func remove(dir, id string) error {
	if !ValidID(id) {
		return errors.New("this is not the ID of a case")
	}
	list, err := scan(dir)
	if err != nil {
		return err
	}
	found := fs.ErrNotExist
	for _, e := range list {
		if e.ID == id {
			found = nil
			if err := removeFolder(e.Path); err != nil {
				return err
			}
		}
	}
	return found
}

// removeFolder takes the case's name away first: a removal that is interrupted leaves no half case, but a scratch
// folder for Recover to clear. Root is not opened for writing: a case whose lock cannot be had for lack of
// permission cannot be renamed either.
func removeFolder(path string) error {
	s, err := openStage(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return err
	}
	if err := unattended(s.root); err != nil {
		s.close()
		return err
	}
	if err := s.move(scratchName + rand.Text()); err != nil {
		s.close()
		return err
	}
	return s.discard()
}

// unattended refuses a case that somebody has the Todo of: its page may be half drawn, its report half packed.
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
