package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// ErrLine is a line whose name cannot be a file's.
var ErrLine = errors.New("bad name of a line")

// Counters are files with a number each, shared by the instances on a host.
type Counters struct{ Dir string }

// Next is the next number of a line. The counter is on the disk before anybody sees the number.
func (c *Counters) Next(line string) (n int64, err error) {
	if line == "" || strings.ContainsAny(line, "/.") {
		return 0, ErrLine
	}
	path := filepath.Join(c.Dir, line)
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return 0, fmt.Errorf("locking the counter of %s: %w", line, err)
	}
	defer lock.Close()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	if len(text) > 0 {
		if n, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return 0, fmt.Errorf("reading the counter of %s: %w", line, err)
		}
	}
	n++
	return n, replace(path, strconv.FormatInt(n, 10))
}

// replace leaves the old text or the new one, whenever the power fails.
func replace(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "counter-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
