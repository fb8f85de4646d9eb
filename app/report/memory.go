package report

import (
	"html/template"
	"time"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// A memory is the table of what the resident memory is made of.
type memory struct {
	Total, What, At string
	Rows, Beside    []memoryRow
}

type memoryRow struct {
	Amount, Share string
	Name, Text    string
}

// An age is how long what a line allocates stays.
type age struct {
	place
	Live, Allocated, Text string
}

func newAges(p *casefile.Picture, links *sourceurl.Links) (out []age) {
	if p == nil {
		return nil
	}
	for _, a := range p.Ages {
		out = append(out, age{Live: quantity(float64(a.Bytes), vitals.Bytes), Text: unbroken(a.Text),
			Allocated: quantity(a.Allocated, vitals.BytesPerSecond),
			place: place{Frame: casefile.Frame{Function: a.Function, File: a.File, Line: a.Line},
				Symbol: splitSymbol(a.Function), URL: template.URL(links.URL(a.Function, a.File, a.Line))}})
	}
	return out
}

// newMemory is nil where the case does not tell.
func newMemory(p *casefile.Picture) *memory {
	if p == nil || p.Memory == nil {
		return nil
	}
	t := p.Memory
	m := &memory{Total: quantity(float64(t.Total), vitals.Bytes), What: t.What}
	if !t.Taken.IsZero() {
		m.At = t.Taken.UTC().Format(time.TimeOnly + " UTC")
	}
	for _, r := range t.Rows {
		m.Rows = append(m.Rows, memoryRowOf(r, t.Of()))
	}
	for _, r := range t.Beside {
		m.Beside = append(m.Beside, memoryRowOf(r, 0))
	}
	return m
}

// memoryRowOf writes a row; of 0 it is no part.
func memoryRowOf(r casefile.MemoryRow, of int64) memoryRow {
	row := memoryRow{Amount: "not known", Name: r.Name, Text: r.Text}
	if r.Taken != nil {
		row.Name += ", read at " + r.Taken.UTC().Format(time.TimeOnly)
	}
	if r.Bytes == nil {
		return row
	}
	row.Amount = quantity(float64(*r.Bytes), vitals.Bytes)
	row.Share = words.OfMemory(r, of)
	return row
}
