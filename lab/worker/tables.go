package worker

import (
	"context"
	"sync"

	"github.com/gocasebook/casebook/lab/worker/rows"
)

// tables are what the store keeps, by the names of tables: a rows.Store.
type tables struct {
	limit int64 // bytes of keys and values in each

	mu  sync.Mutex // guards what follows
	all map[string]*rowTable
}

// A rowTable is the newest rows of a table.
type rowTable struct {
	rows  map[string]*rows.Row // by key
	order []string             // keys, oldest first
	bytes int64
}

func newTables(limit int64) *tables { return &tables{limit: limit, all: map[string]*rowTable{}} }

// Put keeps rows. Those that are too many are forgotten, the oldest first.
func (t *tables) Put(_ context.Context, table string, some []*rows.Row) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	into := t.all[table]
	if into == nil {
		into = &rowTable{rows: map[string]*rows.Row{}}
		t.all[table] = into
	}
	for _, r := range some {
		into.put(r)
	}
	for into.bytes > t.limit {
		into.first()
	}
	return nil
}

// Take gives the oldest rows, at most so many, and forgets them.
func (t *tables) Take(_ context.Context, table string, most int32) ([]*rows.Row, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := t.all[table]
	taken := []*rows.Row{}
	for from != nil && len(from.order) > 0 && len(taken) < int(most) {
		taken = append(taken, from.first())
	}
	return taken, nil
}

func (t *rowTable) put(r *rows.Row) {
	key := string(r.Key)
	if old := t.rows[key]; old != nil {
		t.bytes -= size(old)
	} else {
		t.order = append(t.order, key)
	}
	t.rows[key] = r
	t.bytes += size(r)
}

// first takes the oldest row out.
func (t *rowTable) first() *rows.Row {
	key := t.order[0]
	t.order = t.order[1:]
	r := t.rows[key]
	delete(t.rows, key)
	t.bytes -= size(r)
	return r
}

// size is how many bytes a row's key and values are.
func size(r *rows.Row) int64 {
	n := len(r.Key)
	for _, c := range r.Cells {
		n += len(c.Column) + len(c.Value)
	}
	return int64(n)
}
