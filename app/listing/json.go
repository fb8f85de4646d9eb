package listing

import (
	"encoding/json"
	"math"

	"github.com/gocasebook/casebook/app/heat"
)

// Schema is the version of a Listing in JSON.
const Schema = 1

// MarshalJSON has shares by the names of their measures (cpu, alloc_bytes, alloc_objects, wait, live_bytes), from 0
// to 1, and what they are shares of: ns, bytes or objects.
func (l *Listing) MarshalJSON() ([]byte, error) {
	totals := make(map[string]float64)
	for _, m := range heat.Measures() {
		if v := l.Totals[m].Value; v > 0 {
			totals[m.String()] = v
		}
	}
	functions := make([]functionJSON, 0, len(l.Functions))
	for i := range l.Functions {
		f := &l.Functions[i]
		out := functionJSON{Name: f.Name, File: f.File, Source: f.Source, Note: f.Note, Total: lineJSONOf(&f.Total)}
		for k := range f.Lines {
			out.Lines = append(out.Lines, lineJSONOf(&f.Lines[k]))
		}
		functions = append(functions, out)
	}
	return json.Marshal(struct {
		Schema     int                `json:"schema"`
		Totals     map[string]float64 `json:"totals"`
		Goroutines int64              `json:"goroutines"`
		Functions  []functionJSON     `json:"functions"`
		Left       int                `json:"left,omitempty"`
	}{Schema, totals, l.Goroutines, functions, l.Left})
}

type functionJSON struct {
	Name   string     `json:"name"`
	File   string     `json:"file"`
	Source bool       `json:"source"`
	Note   string     `json:"note,omitempty"`
	Total  lineJSON   `json:"total"`
	Lines  []lineJSON `json:"lines"`
}

type lineJSON struct {
	Line       int                `json:"line"`
	Text       string             `json:"text,omitempty"`
	Own        map[string]float64 `json:"own,omitempty"`
	Cost       map[string]float64 `json:"cost,omitempty"`
	Goroutines int64              `json:"goroutines,omitempty"`
}

func lineJSONOf(l *Line) lineJSON {
	return lineJSON{l.Number, l.Text, sharesOf(l.Own), sharesOf(l.Cost), l.Goroutines}
}

func sharesOf(c heat.Cost) map[string]float64 {
	out := make(map[string]float64)
	for _, m := range heat.Measures() {
		if c[m] > 0 {
			out[m.String()] = math.Round(c[m]*1e6) / 1e6
		}
	}
	return out
}
