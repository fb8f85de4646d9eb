package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Shelf is a folder of cases, as `casebook watch` keeps one, read where it is: no database, and nothing is written but
// opinions. What the folder's index does not have is read once, so that it suits thousands of cases, not millions. Read
// does that; until it has, what counts all cases has the newest ones.
type Shelf struct {
	dir      casefile.Dir
	cases    *casefile.Reader
	patience time.Duration // of who asks, for cases that were not read yet
	reading  atomic.Bool   // Read is at it
	found    shelfFindings
	now      func() time.Time
}

// shelfPatience leaves most of a second for the rest of a page, which counts twice.
const shelfPatience = 200 * time.Millisecond

// OpenShelf opens a folder of cases.
func OpenShelf(dir string) (*Shelf, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file, not a folder of cases", dir)
	}
	if err != nil {
		return nil, err
	}
	return &Shelf{dir: casefile.Dir(dir), cases: casefile.NewReader(casefile.Dir(dir)), patience: shelfPatience,
		now: time.Now}, nil
}

// Read reads all cases, so that nobody has to wait for them later.
func (s *Shelf) Read(ctx context.Context) error {
	s.reading.Store(true)
	defer s.reading.Store(false)
	old := s.now().Add(-warmDays * day)
	err := s.cases.Walk(func(c casefile.Summary) bool {
		if c.Err == nil && !c.Unfinished && c.Worst >= openScore && c.Opened.After(old) {
			s.found.of(c)
		}
		return ctx.Err() == nil
	})
	return errors.Join(err, ctx.Err())
}

// Progress says, while Read is at it, how many cases have been read and how many there are; otherwise both are 0.
func (s *Shelf) Progress() (read, all int, err error) {
	if !s.reading.Load() {
		return 0, 0, nil
	}
	return s.cases.Progress()
}

// count calls fn for all cases until it returns false; while they are being read, for the newest, as many as somebody
// who waits has patience for.
func (s *Shelf) count(ctx context.Context, fn func(casefile.Summary) bool) error {
	end, hurry := time.Now().Add(s.patience), s.reading.Load()
	err := s.cases.Walk(func(c casefile.Summary) bool {
		if c.Err == nil && !c.Unfinished && !fn(c) {
			return false
		}
		return ctx.Err() == nil && !(hurry && time.Now().After(end))
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// Ping says whether the folder can be read.
func (s *Shelf) Ping(context.Context) error {
	_, err := os.Stat(string(s.dir))
	return err
}

// folder opens the case of an ID. An ID with a separator in it is not one.
func (s *Shelf) folder(id string) (*casefile.Folder, error) {
	if !casefile.ValidID(id) {
		return nil, ErrNotFound
	}
	f, err := casefile.Open(filepath.Join(string(s.dir), id))
	if err != nil && !exists(filepath.Join(string(s.dir), id)) {
		return nil, ErrNotFound
	}
	return f, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Case returns a case.
func (s *Shelf) Case(_ context.Context, id string) (casefile.Case, error) {
	f, err := s.folder(id)
	if err != nil {
		return casefile.Case{}, fmt.Errorf("reading case %.60q: %w", id, err)
	}
	f.Case.Target.NameResource()
	return f.Case, nil
}

// List is Store.List.
func (s *Shelf) List(ctx context.Context, f Filter) (Page, error) {
	p, err := s.list(ctx, f)
	if err != nil {
		return Page{}, fmt.Errorf("listing cases: %w", err)
	}
	return p, nil
}

func (s *Shelf) list(ctx context.Context, f Filter) (Page, error) {
	page := Page{Cases: []Summary{}}
	if _, err := f.terms(); err != nil {
		return page, err
	}
	limit := pageSize(f.Limit)
	var from Summary
	if f.After != "" {
		ms, id, err := readCursor(f.After)
		if err != nil {
			return page, err
		}
		from = Summary{ID: id, Opened: fromMilli(ms)}
	}
	err := s.cases.Walk(func(c casefile.Summary) bool {
		if c.Err != nil || c.Unfinished || from.ID != "" && !before(from, c) || !s.passes(&f, c) {
			return ctx.Err() == nil
		}
		if len(page.Cases) == limit {
			page.Next = cursor(page.Cases[limit-1])
			return false
		}
		page.Cases = append(page.Cases, s.summary(c))
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return page, err
}

// before reports whether a stands before b in a list: newest first.
func before(a Summary, b casefile.Summary) bool {
	if at, bt := a.Opened.UnixMilli(), b.Opened.UnixMilli(); at != bt {
		return at > bt
	}
	return a.ID > b.ID
}

// passes reads case.json only where the summary does not settle it.
func (s *Shelf) passes(f *Filter, c casefile.Summary) bool {
	switch {
	case f.Pinned, f.Service != "" && f.Service != c.Target, f.Rule != "" && f.Rule != c.Rule, f.Score > c.Worst,
		!f.From.IsZero() && c.Opened.Before(f.From), !f.To.IsZero() && !c.Opened.Before(f.To):
		return false
	case f.Kind != "" || f.Function != "" || f.OfProcess:
		if c.Findings == 0 || !s.found.has(c, f) {
			return false
		}
	}
	if f.Text == "" && len(f.Label) == 0 {
		return true
	}
	folder, err := casefile.Open(c.Path)
	return err == nil && f.matches(newRow(&folder.Case, nil, c.Opened))
}

// summary adds what the folder's index does not have.
func (s *Shelf) summary(c casefile.Summary) Summary {
	if folder, err := casefile.Open(c.Path); err == nil {
		sum := summarize(&folder.Case)
		sum.Received = c.Imported
		if sum.Received.IsZero() {
			sum.Received = sum.Opened
		}
		return sum
	}
	return Summary{ID: c.ID, Opened: c.Opened, Received: c.Opened, Service: c.Target, Rule: c.Rule, Text: c.Text,
		Findings: c.Findings, Title: c.Title, Score: c.Score, Worst: c.Worst, Verdict: c.Verdict, Bytes: c.Bytes}
}

// matches is what the database does with words and labels.
func (f *Filter) matches(r *row) bool {
	for name, value := range f.Label {
		if have, found := r.labels[name]; !found || have != value {
			return false
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(cut(f.Text))) {
		if !strings.Contains(r.text, word) {
			return false
		}
	}
	return true
}

// Services is Store.Services, of the newest cases while not all have been read.
func (s *Shelf) Services(ctx context.Context) ([]Service, error) {
	byName := map[string]*Service{}
	err := s.count(ctx, func(c casefile.Summary) bool {
		v := byName[c.Target]
		if v == nil {
			v = &Service{Name: c.Target}
			byName[c.Target] = v
		}
		v.Cases++
		v.Worst = max(v.Worst, c.Worst)
		if c.Opened.After(v.Newest) {
			v.Newest = c.Opened
		}
		return true
	})
	list := []Service{}
	for _, v := range byName {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b Service) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// Evidence opens a file of a case. The caller closes it.
func (s *Shelf) Evidence(_ context.Context, id, file string) (casefile.Evidence, Blob, error) {
	e, b, err := s.evidence(id, file)
	if err != nil {
		return e, nil, fmt.Errorf("opening %.80q of case %.60q: %w", file, id, err)
	}
	return e, b, nil
}

func (s *Shelf) evidence(id, file string) (casefile.Evidence, Blob, error) {
	f, err := s.folder(id)
	if err != nil {
		return casefile.Evidence{}, nil, err
	}
	i := slices.IndexFunc(f.Case.Evidence, func(e casefile.Evidence) bool { return e.File == file })
	if i < 0 {
		return casefile.Evidence{}, nil, ErrNotFound
	}
	b, err := f.OpenFile(file)
	if err != nil {
		return casefile.Evidence{}, nil, err
	}
	return f.Case.Evidence[i], b, nil
}

// Export writes a case as casefile.Export does.
func (s *Shelf) Export(_ context.Context, id string, w io.Writer) error {
	f, err := s.folder(id)
	if err == nil {
		err = casefile.Export(f, w)
	}
	if err != nil {
		return fmt.Errorf("exporting case %.60q: %w", id, err)
	}
	return nil
}

// Checkout returns the case's own folder. Nothing of it may be changed.
func (s *Shelf) Checkout(_ context.Context, id string) (*Checkout, error) {
	f, err := s.folder(id)
	if err != nil {
		return nil, fmt.Errorf("opening case %.60q: %w", id, err)
	}
	return &Checkout{Folder: f}, nil
}
