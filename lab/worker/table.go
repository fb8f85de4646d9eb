package worker

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A table has a line an event, tab-separated, for the analysts' database to load.
type table struct {
	items  catalogue
	format tableFormat
}

// A tableFormat writes the line of an event.
type tableFormat interface {
	write(w io.Writer, e *event.Event) error
}

// timeLayout is how the database wants times, in UTC.
const timeLayout = "2006-01-02 15:04:05.000"

func (t *table) write(w io.Writer, batches []*event.Batch) error {
	for _, b := range batches {
		t.items.complete(b)
		for _, e := range b.Events {
			if err := t.format.write(w, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// A printer formats the columns with package fmt.
type printer struct{}

func (printer) write(w io.Writer, e *event.Event) error {
	columns := []any{e.Id, time.UnixMilli(e.AtMs).UTC().Format(timeLayout), kindName(e.Kind), e.User, e.Item, e.Session,
		e.Region,
		e.Platform, e.Referrer, e.Position, e.Category, e.Seller, fmt.Sprintf("%d.%02d", e.Price/100, e.Price%100)}
	cells := make([]string, 0, len(columns))
	for _, column := range columns {
		cells = append(cells, fmt.Sprintf("%v", column))
	}
	_, err := io.WriteString(w, strings.Join(cells, "\t")+"\n")
	return err
}

// A cellWriter writes lines cell by cell, each formed in the same buffer.
type cellWriter struct {
	w   io.Writer
	buf []byte
	err error // the first
}

func (c *cellWriter) write(w io.Writer, e *event.Event) error {
	c.w, c.err = w, nil
	c.uint(e.Id)
	c.cell(time.UnixMilli(e.AtMs).UTC().AppendFormat(c.buf[:0], timeLayout))
	c.string(kindName(e.Kind))
	c.uint(e.User)
	c.uint(e.Item)
	c.string(e.Session)
	c.string(e.Region)
	c.string(e.Platform)
	c.string(e.Referrer)
	c.uint(uint64(e.Position))
	c.string(e.Category)
	c.uint(e.Seller)
	c.last(appendPrice(c.buf[:0], e.Price))
	return c.err
}

func (c *cellWriter) uint(v uint64)   { c.cell(strconv.AppendUint(c.buf[:0], v, 10)) }
func (c *cellWriter) string(v string) { c.cell(append(c.buf[:0], v...)) }
func (c *cellWriter) cell(b []byte)   { c.put(append(b, '\t')) }
func (c *cellWriter) last(b []byte)   { c.put(append(b, '\n')) }

func (c *cellWriter) put(b []byte) {
	c.buf = b
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

// appendPrice writes hundredths as 12.34. Prices are not negative.
func appendPrice(b []byte, hundredths int64) []byte {
	b = strconv.AppendInt(b, hundredths/100, 10)
	b = append(b, '.', byte('0'+hundredths/10%10), byte('0'+hundredths%10))
	return b
}

// kindNames are in the order of event.Event_Kind.
var kindNames = []string{"unknown", "search", "view", "favorite", "contact"}

// kindName is "unknown" for a kind that a newer schema has.
func kindName(k event.Event_Kind) string {
	if k < 0 || int(k) >= len(kindNames) {
		k = 0
	}
	return kindNames[k]
}
