package targets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/openfile"
)

// Bounds of a table.
const (
	maxRows       = 5_000_000
	maxTableBytes = 512 << 20
)

// A Table is the rows that templates draw on.
type Table struct {
	Name    string // for errors
	Columns []string
	Rows    [][]string
}

// ReadTable reads CSV (RFC 4180) whose first line names the columns.
func ReadTable(r io.Reader, name string) (*Table, error) {
	limited := &io.LimitedReader{R: r, N: maxTableBytes + 1}
	in := bufio.NewReader(limited)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = in.Discard(3) // what was peeked can be discarded
	}
	reader := csv.NewReader(in)
	columns, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty: want a first line with the names of the columns, and rows", name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	t := &Table{Name: name, Columns: columns}
	if err := t.checkColumns(); err != nil {
		return nil, err
	}
	for {
		row, err := reader.Read()
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("%s is larger than %d MiB: use a part of it", name, maxTableBytes>>20)
		case errors.Is(err, io.EOF) && len(t.Rows) == 0:
			return nil, fmt.Errorf("%s has column names (%s), but no row below them",
				name, strings.Join(columns, ", "))
		case errors.Is(err, io.EOF):
			return t, nil
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		case len(t.Rows) == maxRows:
			return nil, fmt.Errorf("%s has more than %d rows: use a part of it", name, maxRows)
		}
		t.Rows = append(t.Rows, row)
	}
}

// ReadTableFile reads a table from disk.
func ReadTableFile(path string) (*Table, error) {
	f, err := openfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the table: %w", err)
	}
	defer f.Close() // it was only read
	return ReadTable(f, path)
}

func (t *Table) checkColumns() error {
	for i, c := range t.Columns {
		if c == "" || slices.Contains(t.Columns[:i], c) {
			return fmt.Errorf("%s: column %d is named %q: want names in the first line, each once", t.Name, i+1, c)
		}
	}
	return nil
}

// column returns the index of a name.
func (t *Table) column(name string) (int, error) {
	if t == nil {
		return 0, fmt.Errorf("there is no column %q because there is no table: give one with --csv FILE", name)
	}
	if i := slices.Index(t.Columns, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s has no column %q: it has %s", t.Name, name, strings.Join(t.Columns, ", "))
}
