package copyhot

import (
	"bytes"
	"maps"
	"slices"
	"sync"
)

type row struct{ cells []string }

func (r *row) Clone() *row { return &row{cells: slices.Clone(r.cells)} } // its callers decide

func (r row) WithCopy(s string) row { r.cells = append(r.cells, s); return r }

type table struct {
	mu    sync.Mutex
	rows  []*row
	tags  map[string]string
	parts map[string][]row
}

func (t *table) all() []*row {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.rows) // want `t.rows is copied at each pass`
}

func (t *table) labels() map[string]string {
	return maps.Clone(t.tags) // want `t.tags is copied at each pass`
}

func (t *table) scan(part string) []row {
	rows := t.parts[part]
	out := make([]row, len(rows)) // want `rows is copied at each pass`
	copy(out, rows)
	return out
}

func (t *table) list() []*row {
	return append([]*row(nil), t.rows...) // want `t.rows is copied at each pass`
}

func (t *table) first() *row {
	return t.rows[0].Clone() // want `t.rows\[0\] is copied at each pass`
}

func copyRow(r *row) *row { return &row{cells: append([]string{}, r.cells...)} }

func (t *table) last() *row {
	return copyRow(t.rows[len(t.rows)-1]) // want `is copied at each pass: share it where nobody changes it`
}

func copyOf(t *table) (*table, error) { return &table{rows: slices.Concat(t.rows)}, nil }

func cloneTable(t *table) (*table, error) { return copyOf(t) }

func (t *table) snapshot() *table {
	c, err := cloneTable(t) // want `t is copied at each pass`
	if err != nil {
		return nil
	}
	return c
}

// What follows is fine.

func copyRows(t *table) ([]*row, int) { return t.rows, len(t.rows) }

func (t *table) counted() int {
	_, n := copyRows(t) // another type
	return n
}

func next(buf *bytes.Buffer, line []byte) []byte {
	return bytes.Clone(line) // of a buffer that is used again
}

func header(rows []row) []row { return slices.Clone(rows[:1]) }

func grown(out []string, more []string) []string { return append(out, more...) }

func larger(rows []row) []row {
	out := make([]row, len(rows)+1)
	copy(out, rows)
	return out
}

func moved(dst, src []int) { copy(dst, src) }

func text(r *row) row { return r.WithCopy("") }

func initTable(t *table) { t.rows = slices.Clone(t.rows) }
