package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/vitals"
)

// A summary is what `casebook serve` has of a report, on its page of the lab: what was wrong, what was found, what cured
// it, and the figures that a reader looks for first. It is written for people: app does not know the lab's types.
type summary struct {
	Machine string       `json:"machine"`
	Tool    string       `json:"tool"`
	Measure string       `json:"measure"` // how long each form was measured: "18s"
	From    string       `json:"from"`    // the days of the first and of the last row
	To      string       `json:"to"`
	Rows    []summaryRow `json:"rows"`
}

type summaryRow struct {
	Service string          `json:"service"`
	About   string          `json:"about"` // what the service does
	Name    string          `json:"name"`
	Sick    string          `json:"sick"`
	Finding *summaryFinding `json:"finding,omitempty"` // the first of the sick form
	Cure    string          `json:"cure"`
	Fixed   string          `json:"fixed,omitempty"` // the kind for which casebook fix made the cure
	Figures []summaryFigure `json:"figures"`
	Promise string          `json:"promise"`
	Result  string          `json:"result"` // "holds", or why it does not
}

type summaryFinding struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Score    int    `json:"score"`
	Function string `json:"function,omitempty"`
}

type summaryFigure struct {
	Name    string `json:"name"`
	Key     bool   `json:"key,omitempty"` // the figure that the cure is for
	Before  string `json:"before"`
	After   string `json:"after"`
	Change  string `json:"change"`
	Verdict string `json:"verdict"`
}

// summarized are the figures of a summary beside the key figure.
var summarized = []string{prove.P99, prove.ErrorShare, prove.Throughput, prove.CPUPerRequest, prove.RSS}

// WriteSummary writes what `casebook serve` shows of the report. services say what each service does.
func (r *Report) WriteSummary(w io.Writer, services []lab.Service) error {
	first, last := span(r.Rows)
	var machines, tools []string
	for _, run := range r.runs() {
		if !slices.Contains(machines, run.machine) {
			machines = append(machines, run.machine)
		}
		if !slices.Contains(tools, run.tool) {
			tools = append(tools, run.tool)
		}
	}
	s := summary{Machine: strings.Join(machines, " and "), Tool: strings.Join(tools, " and "), Measure: r.Measure,
		From: first.Format("2006-01-02"), To: last.Format("2006-01-02")}
	for i := range r.Rows {
		row := &r.Rows[i]
		out := summaryRow{Service: row.Service, Name: row.Disease, Sick: oneLine(row.Sick), Cure: oneLine(row.Cure),
			Promise: oneLine(row.promiseText()), Result: row.stateText(), Figures: row.summaryFigures()}
		if k := slices.IndexFunc(services, func(s lab.Service) bool { return s.Name == row.Service }); k >= 0 {
			out.About = sentence(services[k].Text)
		}
		if row.Fixed != nil {
			out.Fixed = row.Fixed.Kind
		}
		if len(row.Findings) > 0 {
			f := row.Findings[0]
			out.Finding = &summaryFinding{f.ID, f.Kind, oneLine(f.Title), f.Score, f.Function}
		}
		s.Rows = append(s.Rows, out)
	}
	return s.write(w)
}

// write has a line for each row.
func (s *summary) write(w io.Writer) error {
	rows := s.Rows
	s.Rows = nil
	var head, b bytes.Buffer
	if err := encode(&head, s); err != nil {
		return err
	}
	b.WriteString(strings.TrimSuffix(head.String(), "null}\n") + "[\n")
	for i := range rows {
		if err := encode(&b, rows[i]); err != nil {
			return err
		}
		if i < len(rows)-1 {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
	}
	b.WriteString("]}\n")
	_, err := b.WriteTo(w)
	return err
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing the lab's summary: %w", err)
	}
	return nil
}

// summaryFigures are the key figure and then those that moved.
func (r *Result) summaryFigures() []summaryFigure {
	out := []summaryFigure{}
	if r.Proof == nil {
		return out
	}
	for _, f := range r.Proof.Figures {
		moved := f.Verdict == casefile.Better || f.Verdict == casefile.Worse
		if !f.Key && !(moved && slices.Contains(summarized, f.Name)) || f.Before.N == 0 || f.After.N == 0 {
			continue
		}
		u := vitals.Unit(f.Unit)
		out = append(out, summaryFigure{f.Name, f.Key, u.Format(f.Before.Value), u.Format(f.After.Value),
			prove.ChangeText(f), string(f.Verdict)})
	}
	slices.SortStableFunc(out, func(a, b summaryFigure) int {
		switch {
		case a.Key == b.Key:
			return 0
		case a.Key:
			return -1
		}
		return 1
	})
	return out
}
