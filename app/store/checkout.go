package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/casefile"
)

// A Checkout is a case as a folder, for what works on folders: detectors, pages, exports.
type Checkout struct {
	Folder *casefile.Folder
	s      *Store
	dir    string // to remove
	known  string // the sum of case.json as it was read
}

// Checkout copies a case into a folder. The caller closes it.
func (s *Store) Checkout(ctx context.Context, id string) (*Checkout, error) {
	c, err := s.checkout(ctx, id, s.scratch.dir, true)
	for _, dir := range spareDirs {
		if errors.Is(err, ErrFull) { // who reads a case must not wait for room
			c, err = s.checkout(ctx, id, dir, true)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("checking out case %.60q: %w", id, err)
	}
	return c, nil
}

// spareDirs are where a case is copied to while the disk of the scratch folder is full: memory on Linux, and the system's
// folder for temporary files.
var spareDirs = [...]string{"/dev/shm", ""}

// maxSpare bounds the evidence of a case that is copied there.
const maxSpare = 64 << 20

// Change changes a case.json, without a look at the evidence. change may be called several times, if others change the
// case as well. It must not touch the list of evidence.
func (s *Store) Change(ctx context.Context, id string, change func(*casefile.Case)) error {
	for try := 1; ; try++ {
		err := s.changeOnce(ctx, id, change)
		if try == changeTries || !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

const changeTries = 5

func (s *Store) changeOnce(ctx context.Context, id string, change func(*casefile.Case)) (err error) {
	c, err := s.checkout(ctx, id, s.scratch.dir, false)
	if err != nil {
		return fmt.Errorf("changing case %.60q: %w", id, err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Folder.Update(change); err != nil {
		return err
	}
	return c.Save(ctx)
}

func (s *Store) checkout(ctx context.Context, id, parent string, evidence bool) (*Checkout, error) {
	rec, err := s.index.record(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := casefile.Decode(rec.data) // checks the names of files
	if err != nil {
		return nil, err
	}
	if parent != s.scratch.dir && evidenceBytes(&c) > maxSpare {
		return nil, ErrFull
	}
	dir, err := os.MkdirTemp(parent, checkoutPrefix)
	if err != nil && parent != s.scratch.dir {
		return nil, fmt.Errorf("%w: and there is none in %q: %w", ErrFull, parent, err)
	}
	if err != nil {
		return nil, full(err)
	}
	out := &Checkout{s: s, dir: dir, known: rec.sum}
	files := c.Evidence
	if !evidence {
		files = nil
	}
	if out.Folder, err = s.fill(ctx, filepath.Join(dir, c.ID), rec.data, files); err != nil {
		return nil, errors.Join(full(err), out.Close())
	}
	return out, nil
}

func evidenceBytes(c *casefile.Case) (n int64) {
	for i := range c.Evidence {
		n += c.Evidence[i].Bytes
	}
	return n
}

func (s *Store) fill(ctx context.Context, path string, data []byte, evidence []casefile.Evidence) (*casefile.Folder,
	error) {
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.WriteFile("case.json", data, 0o600); err != nil {
		return nil, err
	}
	for i := range evidence {
		if err := s.copyOut(ctx, root, filepath.Base(path), &evidence[i]); err != nil {
			return nil, fmt.Errorf("evidence %s: %w", evidence[i].File, err)
		}
	}
	return casefile.Open(path)
}

func (s *Store) copyOut(ctx context.Context, root *os.Root, id string, e *casefile.Evidence) (err error) {
	_, b, err := s.Evidence(ctx, id, e.File)
	if err != nil {
		return err
	}
	defer b.Close()
	name := filepath.FromSlash(e.File)
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, b)
	return errors.Join(err, file.Close())
}

// Save keeps what was changed in the folder's case.json. If somebody else changed the case meanwhile, the error is
// ErrConflict, and nothing is kept.
func (c *Checkout) Save(ctx context.Context) error {
	data, err := c.Folder.Read("case.json")
	if err != nil {
		return err
	}
	now, err := casefile.Decode(data)
	if err != nil {
		return err
	}
	r := newRow(&now, data, c.s.now())
	if r.recordSum == c.known {
		return nil
	}
	if err := c.s.index.replace(ctx, r, c.known); err != nil {
		return fmt.Errorf("keeping case %s: %w", r.id, err)
	}
	c.known = r.recordSum
	return nil
}

// Close removes the folder, if it is a copy.
func (c *Checkout) Close() error {
	if c.dir == "" {
		return nil
	}
	return os.RemoveAll(c.dir)
}

// Export writes a case as casefile.ExportStream does, with no copy of it anywhere: whoever reads slowly holds nothing but
// an open blob.
func (s *Store) Export(ctx context.Context, id string, w io.Writer) error {
	rec, err := s.index.record(ctx, id)
	if err == nil {
		err = casefile.ExportStream(w, rec.data, func(e casefile.Evidence) (io.ReadCloser, error) {
			return s.openBlob(ctx, &e)
		})
	}
	if err != nil {
		return fmt.Errorf("exporting case %.60q: %w", id, err)
	}
	return nil
}
