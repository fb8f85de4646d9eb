package casework

import (
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A NoCaseError says that a folder holds no case that could be opened.
type NoCaseError struct{ Dir string }

// Error names the folder.
func (e *NoCaseError) Error() string { return "no case in " + e.Dir }

// Which names a case: the newest one in a folder, or one by its ID.
type Which struct {
	Dir    string
	Newest bool
	ID     string // may be shortened as long as it is unique, or be the path of a case's folder
}

// Open opens a case. A *NoCaseError says that there is no newest one.
func Open(w Which) (*casefile.Folder, error) {
	if w.Newest {
		return openNewest(w.Dir)
	}
	if IsCase(w.ID) {
		return casefile.Open(w.ID)
	}
	e, err := casefile.Dir(w.Dir).Find(w.ID)
	if err != nil {
		return nil, err
	}
	return casefile.Open(e.Path)
}

// IsCase reports whether a path is the folder of a case.
func IsCase(path string) bool { return exists(filepath.Join(path, "case.json")) }

func openNewest(dir string) (*casefile.Folder, error) {
	newest := ""
	err := casefile.Dir(dir).Walk(func(e casefile.Entry) bool {
		if e.Err == nil && !e.Unfinished {
			newest = e.Path
		}
		return newest == ""
	})
	if err != nil {
		return nil, err
	}
	if newest == "" {
		return nil, &NoCaseError{dir}
	}
	return casefile.Open(newest)
}

// A Listed case is one element of `casebook case ls --json`.
type Listed struct {
	ID         string         `json:"id"`
	Path       string         `json:"path"`
	Case       *casefile.Case `json:"case,omitempty"`
	Unfinished bool           `json:"unfinished,omitempty"`
	Error      string         `json:"error,omitempty"`
}

// List calls each with the whole cases in a folder, newest first, one in memory at a time, until it returns false. For
// a line a case, casefile.Dir.WalkSummaries reads far less.
func List(dir string, each func(Listed) bool) error {
	return casefile.Dir(dir).Walk(func(e casefile.Entry) bool {
		l := Listed{ID: e.ID, Path: e.Path, Unfinished: e.Unfinished}
		if e.Err != nil {
			l.Error = e.Err.Error()
		} else {
			l.Case = &e.Case
		}
		return each(l)
	})
}

// Remove removes the case that id names, which may be shortened. It returns the whole ID.
func Remove(dir, id string) (removed string, err error) {
	e, err := casefile.Dir(dir).Find(id)
	if err != nil {
		return "", err
	}
	return e.ID, casefile.Dir(dir).Remove(e.ID)
}

// A PruneRequest says which cases a folder is to keep.
type PruneRequest struct {
	Dir    string
	Keep   casefile.Retention
	DryRun bool // say what would go, and remove nothing
}

// Prune removes what a watch with the same limits would remove, at this moment. What it returns beside an error is what
// it did until then.
func Prune(r PruneRequest) (casefile.Pruned, error) {
	if r.DryRun {
		return casefile.Dir(r.Dir).PlanPrune(r.Keep, time.Now())
	}
	return casefile.Dir(r.Dir).Prune(r.Keep, time.Now())
}
