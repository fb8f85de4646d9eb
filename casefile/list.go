package casefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
//
// It holds all of them: where there may be thousands, Walk has one at a time, and WalkSummaries has less of each.
func (d Dir) List() ([]Entry, error) {
	var list []Entry
	err := d.Walk(func(e Entry) bool {
		list = append(list, e)
		return true
	})
	return list, err
}

// Walk is List, a case at a time, until fn returns false.
func (d Dir) Walk(fn func(Entry) bool) error {
	list, err := scan(string(d))
	if err != nil {
		return fmt.Errorf("listing cases in %q: %w", d, explain(err))
	}
	for _, p := range list {
		if !fn(p.load()) {
			return nil
		}
	}
	return nil
}

// A place is where a case is: an Entry before it is read, a tenth of its size.
type place struct {
	ID         string
	Path       string
	Unfinished bool
}

// scan finds the cases by their names alone.
func scan(dir string) ([]place, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(abs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []place
	for _, file := range files {
		id, unfinished := strings.CutPrefix(file.Name(), tmpPrefix)
		if file.IsDir() && ValidID(id) {
			list = append(list, place{ID: id, Path: filepath.Join(abs, file.Name()), Unfinished: unfinished})
		}
	}
	slices.SortFunc(list, func(a, b place) int { return strings.Compare(b.ID, a.ID) })
	return list, nil
}

// Misnamed returns the folders in dir that hold a case under another name than its ID, as a person's copy may. List
// does not have them: a case is found by its ID.
func (d Dir) Misnamed() ([]string, error) {
	files, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing folders in %q: %w", d, err)
	}
	var names []string
	for _, file := range files {
		if !file.IsDir() || ValidID(strings.TrimPrefix(file.Name(), tmpPrefix)) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(string(d), file.Name(), caseName)); err == nil && info.Mode().IsRegular() {
			names = append(names, file.Name())
		}
	}
	return names, nil
}

// load reads the case.
func (p place) load() Entry {
	e := Entry{ID: p.ID, Path: p.Path, Unfinished: p.Unfinished}
	f, err := Open(e.Path)
	if err == nil && f.Case.ID != e.ID {
		err = fmt.Errorf("opening case %s: the folder holds case %s: rename it back to that", e.Path, f.Case.ID)
	}
	if err != nil {
		e.Err = err
		return e
	}
	e.Case = f.Case
	return e
}

// Find returns the one case in dir whose ID is, or begins with, prefix. The error names the candidates when there are
// several, and wraps fs.ErrNotExist when there is none.
func (d Dir) Find(prefix string) (Entry, error) {
	list, err := scan(string(d))
	if err != nil {
		return Entry{}, fmt.Errorf("finding case %.100q in %q: %w", prefix, d, explain(err))
	}
	list = slices.DeleteFunc(list, func(p place) bool { return !strings.HasPrefix(p.ID, prefix) })
	if i := slices.IndexFunc(list, func(p place) bool { return p.ID == prefix }); i >= 0 {
		list = list[i : i+1]
	}
	switch {
	case len(list) == 0:
		return Entry{}, fmt.Errorf("finding case %.100q in %q: %w: no case ID starts with that", prefix, d,
			fs.ErrNotExist)
	case len(list) > 1:
		return Entry{}, fmt.Errorf("finding case %.100q in %q: it matches %s: give more of the ID", prefix, d,
			someIDs(list))
	}
	return list[0].load(), nil
}

// someIDs names the first few entries.
func someIDs(list []place) string {
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
