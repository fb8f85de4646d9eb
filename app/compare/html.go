package compare

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

//go:embed page.html
var pageHTML string

// HTML writes a report, and what changed among findings where there is something to say of them, as one page that refers to
// nothing outside of itself and has no script. Either may be nil.
func HTML(w io.Writer, r *Report, c *diagnose.Comparison) error {
	if r == nil {
		r = &Report{}
	}
	p, err := newPage(r, c)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	out := bufio.NewWriter(w)
	if err := t.Execute(out, p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// A page is what the template sees.
type page struct {
	Policy           string
	Style            template.HTML
	Title            string
	Old, New, Method string
	Warnings         []string
	Tables           []pageTable
	Changes          []pageChanges
}

type pageTable struct {
	Title, Old, New string
	Reach           string
	Rows            []pageRow
	Geomean         *pageRow
	Notes           []string
}

type pageRow struct {
	Name, Better, Old, New, Change, P, Verdict, Class string
	Bar                                               *bar
}

// A bar is the interval of a change, in percent of the width: 50 is no change.
type bar struct{ X, Width string }

type pageChanges struct {
	Against []diagnose.BasisPair
	Rows    []pageChange
}

type pageChange struct{ State, Class, Score, Title, Note, Where string }

func newPage(r *Report, c *diagnose.Comparison) (*page, error) {
	style, err := report.Style()
	if err != nil {
		return nil, err
	}
	p := &page{Policy: report.Policy(style), Style: template.HTML("<style>" + style + "</style>"),
		Title: r.Summary(), Old: r.Old, New: r.New, Method: r.Method, Warnings: r.Warnings}
	shown := make(map[string]string)
	for i := range r.Tables {
		p.Tables = append(p.Tables, newPageTable(&r.Tables[i], shown))
	}
	if c != nil {
		p.Changes = []pageChanges{newPageChanges(c)}
		if len(r.Tables) == 0 {
			p.Title = changesTitle(c)
		}
	}
	return p, nil
}

func newPageTable(t *Table, shown map[string]string) pageTable {
	reach := t.reach()
	old, latest := t.columns()
	out := pageTable{Title: t.title(shown), Old: old, New: latest, Reach: fmt.Sprintf("%.3g %%", 100*reach)}
	for i := range t.Rows {
		row := &t.Rows[i]
		out.Rows = append(out.Rows, pageRow{
			Name: row.Name, Better: row.Better, Old: row.Old.value(), New: row.New.value(), Change: row.changeText(), P: row.pText(),
			Verdict: verdictText(row.Verdict), Class: class(row.Verdict), Bar: row.bar(reach),
		})
	}
	if g := t.Geomean; g != nil {
		out.Geomean = &pageRow{Old: g.oldText, New: g.newText, Change: g.changeText()}
	}
	for _, n := range t.notes() {
		out.Notes = append(out.Notes, n.of(len(t.Rows))+n.text)
	}
	return out
}

// class is the style of a verdict.
func class(v casefile.Verdict) string {
	if v == casefile.CannotTell {
		return "cannot-tell"
	}
	return string(v)
}

// reach is how far from no change the bars of a table go: 10 %, 25 %, 50 % or 100 %, as the medians need.
func (t *Table) reach() float64 {
	largest := 0.0
	for _, row := range t.Rows {
		if c := math.Abs(float64(row.Change)); !math.IsNaN(c) {
			largest = max(largest, c)
		}
	}
	for _, reach := range []float64{0.1, 0.25, 0.5} {
		if largest <= reach {
			return reach
		}
	}
	return 1
}

// bar is nil where the interval of the change is not known.
func (row *Row) bar(reach float64) *bar {
	low, high := float64(row.ChangeLow), float64(row.ChangeHigh)
	if !row.compared || math.IsNaN(low) || math.IsNaN(high) || math.IsInf(high, 0) {
		return nil
	}
	at := func(v float64) float64 { return min(max(50+50*v/reach, 0), 100) }
	x, end := at(low), at(high)
	if end-x < 0.6 { // an exact change is a point
		x, end = max(x-0.3, 0), min(end+0.3, 100)
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	return &bar{number(x), number(end - x)}
}

func newPageChanges(c *diagnose.Comparison) pageChanges {
	out := pageChanges{Against: c.Against}
	for i := range c.Changes {
		ch := &c.Changes[i]
		f := ch.Finding()
		row := pageChange{State: ch.State, Class: stateClass(ch.State), Title: f.Title, Note: ch.Note, Score: scores(ch)}
		if len(f.Where) > 0 {
			row.Where = f.Where[0].Function
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func stateClass(state string) string {
	switch state {
	case diagnose.StateNew, diagnose.StateWorse:
		return "worse"
	case diagnose.StateBetter, diagnose.StateGone:
		return "better"
	}
	return ""
}

func scores(c *diagnose.Change) string {
	score := func(f *casefile.Finding) string {
		if f == nil {
			return "–"
		}
		return fmt.Sprint(f.Score)
	}
	return score(c.Base) + " → " + score(c.Now)
}

func changesTitle(c *diagnose.Comparison) string {
	pressing := 0
	for _, ch := range c.Changes {
		if ch.State == diagnose.StateNew || ch.State == diagnose.StateWorse {
			pressing++
		}
	}
	return fmt.Sprintf("%d findings, %d of them new or worse", len(c.Changes), pressing)
}
