package worker

import (
	"encoding/binary"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/worker/event"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// columns are those of a row, in the order of its cells.
var columns = [...]string{"at", "kind", "user", "item", "session", "region", "platform", "referrer", "position",
	"category", "seller", "price"}

// A rowMaker makes rows of events. It keeps the rows for the next batches, and one buffer for all their values.
type rowMaker struct {
	items  catalogue
	rows   []*rows.Row
	values []byte
	n      int // rows that are in use
}

// make gives a row for each event of the batches. They are valid until the next call.
func (m *rowMaker) make(batches []*event.Batch) []*rows.Row {
	m.n, m.values = 0, m.values[:0]
	for _, b := range batches {
		m.items.complete(b)
		for _, e := range b.Events {
			m.fill(m.next(), e)
		}
	}
	return m.rows[:m.n]
}

// bytes is how much all values of the rows are.
func (m *rowMaker) bytes() int64 { return int64(len(m.values)) }

// next is a row with its cells, their values still to be set.
func (m *rowMaker) next() *rows.Row {
	if m.n == len(m.rows) {
		cells := make([]rows.Cell, len(columns))
		row := &rows.Row{Cells: make([]*rows.Cell, len(columns))}
		for i := range cells {
			cells[i].Column, row.Cells[i] = columns[i], &cells[i]
		}
		m.rows = append(m.rows, row)
	}
	m.n++
	return m.rows[m.n-1]
}

func (m *rowMaker) fill(r *rows.Row, e *event.Event) {
	r.Key = m.value(binary.BigEndian.AppendUint64(m.values, e.Id))
	for i, c := range r.Cells {
		c.Value = m.value(appendColumn(m.values, i, e))
	}
}

// value is what was appended to the values.
func (m *rowMaker) value(longer []byte) []byte {
	from := len(m.values)
	m.values = longer
	return longer[from:len(longer):len(longer)]
}

// appendColumn appends the value of the i-th column.
func appendColumn(b []byte, i int, e *event.Event) []byte {
	switch columns[i] {
	case "at":
		return time.UnixMilli(e.AtMs).UTC().AppendFormat(b, timeLayout)
	case "kind":
		return append(b, kindName(e.Kind)...)
	case "user":
		return strconv.AppendUint(b, e.User, 10)
	case "item":
		return strconv.AppendUint(b, e.Item, 10)
	case "session":
		return append(b, e.Session...)
	case "region":
		return append(b, e.Region...)
	case "platform":
		return append(b, e.Platform...)
	case "referrer":
		return append(b, e.Referrer...)
	case "position":
		return strconv.AppendUint(b, uint64(e.Position), 10)
	case "category":
		return append(b, e.Category...)
	case "seller":
		return strconv.AppendUint(b, e.Seller, 10)
	}
	return appendPrice(b, e.Price)
}
