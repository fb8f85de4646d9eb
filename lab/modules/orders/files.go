package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/natefinch/atomic"
)

// Files, without a database.

// A journal has a file for each order that is taken at the same time.
type journal struct{ files chan *os.File }

func openJournal(dir string) (store, error) {
	s := &journal{make(chan *os.File, 8)}
	for i := range cap(s.files) {
		f, err := os.Create(fmt.Sprint(dir, "/journal", i))
		if err != nil {
			return nil, err
		}
		s.files <- f
	}
	return s, nil
}

func (s *journal) keep(all []position) error {
	f := <-s.files
	defer func() { s.files <- f }()
	line, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

type inFiles struct{ dir string }

func (s *inFiles) keep(all []position) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, "new-")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(s.dir, fmt.Sprint(all[0].Article)))
}

// renamed has renameio write the files.
type renamed struct{ dir string }

func (s *renamed) keep(all []position) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(s.dir, fmt.Sprint(all[0].Article)), text, 0o600)
}

// replaced has natefinch/atomic write the files.
type replaced struct{ dir string }

func (s *replaced) keep(all []position) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return atomic.WriteFile(filepath.Join(s.dir, fmt.Sprint(all[0].Article)), bytes.NewReader(text))
}
