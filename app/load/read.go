package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/openfile"
)

// maxFileBytes bounds what Read takes: a day of windows of a second is about 150 MB.
const maxFileBytes = 512 << 20

// ErrNotLoad marks a document that is JSON but no File.
var ErrNotLoad = errors.New("not a result of casebook load")

// Read reads a File. Histograms stay compressed until Quantiles.Latency is asked for one. A document of another kind
// gives an error that wraps ErrNotLoad.
func Read(r io.Reader) (*File, error) {
	limited := &io.LimitedReader{R: r, N: maxFileBytes + 1}
	var f File
	if err := json.NewDecoder(limited).Decode(&f); err != nil {
		if limited.N == 0 {
			return nil, fmt.Errorf("reading load results: more than %d bytes: run it with a longer --window",
				maxFileBytes)
		}
		return nil, fmt.Errorf("reading load results: %w; want the JSON that casebook load --out writes", err)
	}
	if f.Kind != FileKind {
		return nil, fmt.Errorf("reading load results: %w: its kind is %q, want %q", ErrNotLoad, f.Kind, FileKind)
	}
	if f.Schema != FileSchema {
		return nil,
			fmt.Errorf("reading load results: schema %d, this casebook reads %d: use the casebook that wrote it",
				f.Schema, FileSchema)
	}
	return &f, nil
}

// ReadFile reads a File from disk.
func ReadFile(path string) (*File, error) {
	r, err := openfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading load results: %w", err)
	}
	defer r.Close() // it was only read
	f, err := Read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Write writes the File as JSON.
func (f *File) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	if err := enc.Encode(f); err != nil {
		return fmt.Errorf("writing load results: %w", err)
	}
	return nil
}

// Save writes the File to disk, whole or not at all: URLs may say what others need not know, so that only the user can
// read it.
func (f *File) Save(path string) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing load results: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // err says what matters
		}
	}()
	if err := f.Write(tmp); err != nil {
		_ = tmp.Close() // the write has failed already
		return err
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("writing load results: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("writing load results: %w", err)
	}
	return nil
}

// Brief returns the File without windows and histograms, for a reader who only wants the figures.
func (f *File) Brief() File {
	b := *f
	b.Windows, b.Total.Latency.HDR, b.Lag.HDR = nil, "", ""
	return b
}
