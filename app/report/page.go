package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A page is what the templates see.
type page struct {
	casefile.Case
	Zero     time.Time // the trigger: 0:00 of every relative time
	Title    string
	Timeline timeline
	Findings []finding
	Graphs   []*graph
	Drawn    int // graphs that can be drawn
	Figures  []figureRow
	Files    []fileRow
	Data     template.JS // the JSON that the script reads
}

// A finding is a casefile.Finding with what the page adds.
type finding struct {
	casefile.Finding
	Index  int
	Places []place
	Causes []cause
}

// A place is one frame of a finding.
type place struct {
	casefile.Frame
	Symbol symbol
	Mark   int // index in flameData.Marks, −1 when no profile of the page shows it
}

// A cause is a finding that explains another. Index is −1 when the diagnosis does not have it.
type cause struct {
	ID    string
	Index int
	Title string
}

// A fileRow is one artefact of the case.
type fileRow struct {
	casefile.Evidence
	At      string // relative to the trigger
	Problem string // why the page does not show it
}

func newPage(in Input) (*page, error) {
	table := stacks.NewTable(in.Case.Target.Build.Module)
	p := &page{Case: in.Case, Zero: zeroOf(in), Graphs: newGraphs(in.Profiles, table)}
	p.Timeline = newTimeline(in, p.Zero)
	p.Title = titleOf(in.Case)
	enc := newEncoder(table)
	for _, g := range p.Graphs {
		if g.tree != nil {
			enc.add(g)
			p.Drawn++
		}
	}
	p.Findings = findings(in.Case, p.Graphs, enc)
	if in.Case.Proof != nil {
		p.Figures = figureRows(in.Case.Proof)
	}
	p.Files = fileRows(in.Case.Evidence, p.Graphs, p.Zero)
	data, err := json.Marshal(struct {
		Vitals timelineData `json:"vitals"`
		Flame  flameData    `json:"flame"`
	}{p.Timeline.Data, enc.out})
	if err != nil {
		return nil, fmt.Errorf("encoding the data of the charts: %w", err)
	}
	// json.Marshal escapes <, > and &, so no value can end the script element.
	p.Data = template.JS(data)
	return p, nil
}

// zeroOf is the moment of the trigger; of a case without one, its opening or its first sample.
func zeroOf(in Input) time.Time {
	switch {
	case !in.Case.Trigger.Time.IsZero():
		return in.Case.Trigger.Time
	case !in.Case.Opened.IsZero() || len(in.Vitals) == 0:
		return in.Case.Opened
	}
	return in.Vitals[0].Time
}

func titleOf(c casefile.Case) string {
	if len(c.Findings) > 0 {
		return c.Findings[0].Title
	}
	return "No findings"
}

// findings prepares the findings and marks their places in the flame graphs.
func findings(c casefile.Case, graphs []*graph, enc *encoder) []finding {
	out := make([]finding, len(c.Findings))
	for i, f := range c.Findings {
		enc.out.Findings = append(enc.out.Findings, f.Title)
		out[i] = finding{Finding: f, Index: i, Causes: causes(c, f)}
		for _, w := range f.Where {
			p := place{Frame: w, Symbol: splitSymbol(w.Function), Mark: -1}
			if at, fn := showing(w.Function, f.Evidence, graphs); at >= 0 {
				p.Mark = len(enc.out.Marks)
				enc.out.Marks = append(enc.out.Marks, mark{
					ID: f.ID, Finding: i, Fn: enc.fn(fn), Graph: at, Share: clamp(w.Share),
				})
			}
			out[i].Places = append(out[i].Places, p)
		}
	}
	return out
}

// showing finds the drawn graph that has a function: the first that the finding rests on, else the first at all. It
// answers −1 without.
func showing(function string, basis []casefile.Basis, graphs []*graph) (at int, fn stacks.FuncID) {
	at, rank := -1, len(basis)+1
	drawn := 0
	for _, g := range graphs {
		if g.tree == nil {
			continue
		}
		if id, ok := g.names[function]; ok {
			r := slices.IndexFunc(basis, func(b casefile.Basis) bool { return b.File == g.File })
			if r < 0 {
				r = len(basis)
			}
			if r < rank {
				at, fn, rank = drawn, id, r
			}
		}
		drawn++
	}
	return at, fn
}

func causes(c casefile.Case, f casefile.Finding) []cause {
	var out []cause
	for _, id := range f.CausedBy {
		at := cause{ID: id, Index: -1}
		for i, other := range c.Findings {
			if other.ID == id {
				at.Index, at.Title = i, other.Title
				break
			}
		}
		out = append(out, at)
	}
	return out
}

func fileRows(evidence []casefile.Evidence, graphs []*graph, zero time.Time) []fileRow {
	rows := make([]fileRow, len(evidence))
	for i, e := range evidence {
		rows[i] = fileRow{Evidence: e, At: absent}
		if !e.Taken.IsZero() {
			rows[i].At = offset(e.Taken.Sub(zero))
		}
		for _, g := range graphs {
			if g.File == e.File {
				rows[i].Problem = g.Problem
			}
		}
	}
	return rows
}
