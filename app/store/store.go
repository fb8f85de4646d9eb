// Package store keeps the cases of a team: an index to search them by, and their evidence as blobs.
//
// The problem: a folder of cases serves one machine. A list of ten thousand cannot be searched by reading each
// case.json, two processes that receive cases cannot share a folder over a network, and a case that was acknowledged
// to its sender must survive a crash in the next moment. The approach: what people search by is in a database (SQLite,
// or PostgreSQL), in one schema that migrations number; what is large is in blobs named by their SHA-256 (a folder, or a
// bucket of S3's protocol). A blob is written and durable before the index names it, and the index changes in one
// transaction: a case is there whole, or not at all. What a crash leaves are blobs that nobody names, which Sweep
// removes (stamp.go says why it takes no others). Evidence stays what it was (pprof, trace, JSON lines): a blob in the
// folder opens with `go tool pprof`.
//
// The limits: a search in texts reads every row's text (10,000 cases take milliseconds); blobs of the same content are
// kept once, whoever sent them, unless they came at the same moment.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/store/driver"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrNotFound says that there is no such case, or no such evidence in it.
	ErrNotFound = driver.ErrNotFound
	// ErrExists says that the store has another case of this ID.
	ErrExists = errors.New("another case has this ID")
	// ErrConflict says that a case was changed by somebody else since it was read.
	ErrConflict = errors.New("the case was changed meanwhile; read it again")
	// ErrUnavailable says that the database or the bucket gave no answer. Trying again later may help.
	ErrUnavailable = driver.ErrUnavailable
	// ErrFull says that there is no room left.
	ErrFull = driver.ErrFull
	// ErrInvalid says that what was sent is not a case, or a damaged one. Trying again does not help.
	ErrInvalid = driver.ErrInvalid
)

// A Config says where a store is.
type Config struct {
	// Index is the database: "sqlite:PATH", or a URL "postgres://user@host/database".
	Index string
	// Blobs is where evidence is: a folder, or "s3://bucket/prefix?endpoint=https://host&region=eu-1". The keys of a
	// bucket come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's role.
	Blobs string
	// Scratch is a folder for what is being received and read. Open removes what a crash left there more than a day ago.
	// Empty means one below the system's.
	Scratch string
	// Annotate makes each new case wait for the work of that name, too.
	Annotate bool
	// Ask does so for the work of that name.
	Ask bool
	// Log gets what an operator should know. Nil means nothing is logged.
	Log *slog.Logger
}

// A Store keeps cases. All methods may be called at once, from several processes that share one database and one
// bucket, too.
type Store struct {
	index   *index
	blobs   blobs
	intake  *intake
	parts   *partRoom
	scratch scratch
	log     *slog.Logger
	now     func() time.Time

	annotate bool // Config.Annotate
	ask      bool // Config.Ask
}

// Open opens a store, and makes what is missing of it: folders, tables. It refuses a schema that a newer Casebook made.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	s := &Store{log: cfg.Log, now: time.Now, annotate: cfg.Annotate, ask: cfg.Ask}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.scratch, err = newScratch(cfg.Scratch); err != nil {
		return nil, fmt.Errorf("opening a store: its scratch folder: %w", err)
	}
	if s.blobs, err = openBlobs(ctx, cfg.Blobs); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a store: its blobs: %w", err), s.scratch.remove())
	}
	if s.index, err = openIndex(ctx, cfg.Index); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a store: its index: %w", err), s.blobs.close(), s.scratch.remove())
	}
	s.parts = newPartRoom()
	s.intake = newIntake(s)
	s.intake.ended.Go(func() { s.tidyParts(s.intake.done) })
	return s, nil
}

// Close waits for the cases that are being received. The store cannot be used afterwards.
func (s *Store) Close() error {
	s.intake.stop()
	return errors.Join(s.index.close(), s.blobs.close(), s.scratch.remove())
}

// Ping says whether database and blobs answer.
func (s *Store) Ping(ctx context.Context) error {
	return errors.Join(s.index.ping(ctx), s.blobs.ping(ctx))
}

// Case returns a case.
func (s *Store) Case(ctx context.Context, id string) (casefile.Case, error) {
	rec, err := s.index.record(ctx, id)
	if err != nil {
		return casefile.Case{}, fmt.Errorf("reading case %.60q: %w", id, err)
	}
	c, err := casefile.Decode(rec.data)
	if err != nil {
		return casefile.Case{}, fmt.Errorf("reading case %.60q: %w", id, err)
	}
	c.Target.NameResource() // of a case that an older Casebook wrote
	return c, nil
}

// List returns the cases that a filter lets through, newest first, a page at a time.
func (s *Store) List(ctx context.Context, f Filter) (Page, error) {
	p, err := s.index.list(ctx, f)
	if err != nil {
		return Page{}, fmt.Errorf("listing cases: %w", err)
	}
	return p, nil
}

// Services lists the services that have cases, by name, with how many and the newest.
func (s *Store) Services(ctx context.Context) ([]Service, error) {
	list, err := s.index.services(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing services: %w", err)
	}
	return list, nil
}

// A Blob is the content of a piece of evidence.
type Blob = driver.Content

// Evidence opens a file of a case. The caller closes it.
func (s *Store) Evidence(ctx context.Context, id, file string) (casefile.Evidence, Blob, error) {
	e, name, err := s.index.evidence(ctx, id, file)
	var b Blob
	if err == nil {
		b, err = s.blobs.open(ctx, name, e.Bytes)
	}
	if err != nil {
		return casefile.Evidence{}, nil, fmt.Errorf("opening %.80q of case %.60q: %w", file, id, err)
	}
	return e, b, nil
}

// Remove removes a case. Its blobs stay until Sweep: another case may have them, too.
func (s *Store) Remove(ctx context.Context, id string) error {
	if err := s.index.remove(ctx, id); err != nil {
		return fmt.Errorf("removing case %.60q: %w", id, err)
	}
	return nil
}

// The beginnings of names in the scratch folder.
const (
	uploadPrefix   = "upload-"
	checkoutPrefix = "case-"
)

// The beginning of the name of a scratch folder in the system's temporary one, and the file in it that is locked.
const (
	scratchPrefix = "casebook-store-"
	scratchLock   = ".lock"
)

// scratch is a folder for temporary files.
type scratch struct {
	dir  string
	lock *os.File // of a folder that we made and remove; nil for one that was named
}

// newScratch makes a folder in the system's temporary one where none is named, and removes there those of servers that
// were killed: nobody has the lock of theirs.
func newScratch(dir string) (s scratch, err error) {
	if dir != "" {
		s.dir = dir
		return s, errors.Join(os.MkdirAll(dir, 0o700), s.sweep())
	}
	removeAbandoned(os.TempDir())
	if s.dir, err = os.MkdirTemp("", scratchPrefix); err != nil {
		return s, err
	}
	if s.lock, err = os.Create(filepath.Join(s.dir, scratchLock)); err == nil {
		err = flock.Try(s.lock)
	}
	if err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return s, errors.Join(err, s.remove())
	}
	return s, nil
}

// removeAbandoned removes the scratch folders in dir that no process has the lock of. It leaves those that it may not
// remove, such as another user's: a store opens without.
func removeAbandoned(dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	found, _ := fs.Glob(root.FS(), scratchPrefix+"*")
	for _, name := range found {
		if flock.Abandoned(root, name+"/"+scratchLock, time.Now()) {
			_ = root.RemoveAll(name)
		}
	}
}

// sweep removes what processes that were killed have left. Others may work in the folder now.
func (s scratch) sweep() error {
	files, err := os.ReadDir(s.dir)
	for _, f := range files {
		info, gone := f.Info()
		ours := strings.HasPrefix(f.Name(), uploadPrefix) || strings.HasPrefix(f.Name(), checkoutPrefix)
		if gone == nil && ours && time.Since(info.ModTime()) > sweepAge {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.dir, f.Name())))
		}
	}
	return err
}

func (s scratch) remove() error {
	if s.lock == nil {
		return nil
	}
	return errors.Join(s.lock.Close(), os.RemoveAll(s.dir))
}
