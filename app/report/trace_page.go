package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// A TraceInput is what the page of an execution trace is made of.
type TraceInput struct {
	Case    casefile.Case
	File    string
	Trace   *traces.Summary // nil if it could not be read
	Problem string          // why not
	Links   Links
}

// A tracePage is what its template sees.
type tracePage struct {
	caseHead
	Evidence casefile.Evidence
	Download string
	Problem  string
	Files    []link
	Trace    *traces.Summary
	Use      string
	Chart    *useChart
	Lanes    *laneChart
	Courses  *courseChart
	Kinds    []kindRow
	Legend   []splitPart
	Slowest  []slowRow
	Tables   []timesTable
}

// Bounds of the page's tables.
const (
	maxTraceRows = 15
	maxSlowest   = 10
)

// A kindRow is the regions of one kind, and where their time went.
type kindRow struct {
	timesRow
	Split split
}

// A slowRow is one slow region.
type slowRow struct {
	Kind, At, Took string
	Split          split
	Path           []pathRow
}

// A pathRow is a step of a critical path.
type pathRow struct {
	Indent, Took, State string
	Place               place
	Goroutine           string // whose running it is, if it is another's
}

// WriteTrace writes the page of an execution trace.
func WriteTrace(w io.Writer, in TraceInput) error {
	p := newTracePage(in)
	if err := execute(w, "trace-page", tableTemplates, p); err != nil {
		return fmt.Errorf("writing the page of %s in case %q: %w", in.File, in.Case.ID, err)
	}
	return nil
}

func newTracePage(in TraceInput) *tracePage {
	p := &tracePage{caseHead: newCaseHead(in.Case, "trace", "Execution trace"), Problem: in.Problem, Trace: in.Trace,
		Download: downloadURL(in.Case.ID, in.File)}
	p.Evidence, _ = evidenceOf(in.Case, in.File)
	for _, e := range in.Case.Evidence {
		if e.Kind == casefile.Trace {
			p.Files = append(p.Files, link{Text: e.File, Detail: p.Taken(e), Here: e.File == in.File,
				URL: evidenceURL(in.Case.ID, "trace", "file", e.File)})
		}
	}
	s := in.Trace
	if s == nil {
		return p
	}
	build := in.Case.Target.Build
	at := sites{module: build.Module, links: sourceurl.New(in.Links.Source, build, in.Links.Dir)}
	if all := s.Use.Busy + s.Use.Idle; all > 0 {
		queue := s.Use.Waited.Seconds() / max(s.Span.Seconds(), 1e-9)
		p.Use = fmt.Sprintf("Processors were busy %s of the time. On average %s goroutines waited for one, %s of that "+
			"beside an idle one.", percentOf(s.Use.Busy, all), count(queue),
			percentOf(s.Use.WaitedBesideIdle, s.Use.Waited))
	}
	p.Chart, p.Lanes, p.Courses = newUseChart(s), newLaneChart(s), newCourseChart(s)
	p.Kinds, p.Slowest = kindRows(s), slowRows(s, at)
	if len(p.Kinds)+len(p.Slowest) > 0 {
		p.Legend = splitLegend()
	}
	p.Tables = traceTables(s, at)
	return p
}

func percentOf(part, whole time.Duration) string {
	if whole <= 0 {
		return percent(0)
	}
	return percent(float64(part) / float64(whole))
}

func took(d time.Duration) string { return quantity(d.Seconds(), vitals.Seconds) }

func kindRows(s *traces.Summary) (out []kindRow) {
	var all []traces.Times
	for _, k := range s.Kinds[:min(len(s.Kinds), maxTraceRows)] {
		all = append(all, k.Times)
	}
	axis := axisOf(all)
	for i, times := range all {
		k := &s.Kinds[i]
		row := kindRow{timesRow: axis.row(k.Name, times), Split: newSplit(k.Spent, k.Stopped)}
		if k.Open > 0 {
			row.Notes = append(row.Notes, count(float64(k.Open))+" more began before the trace or ended after it")
		}
		if k.Marking.Count > 0 && k.Between.Count > 0 {
			row.Notes = append(row.Notes, "p99 while the collector marks: "+took(k.Marking.P99)+", otherwise "+
				took(k.Between.P99))
		}
		out = append(out, row)
	}
	return out
}

// slowRows are the slowest regions, some of each kind.
func slowRows(s *traces.Summary, at sites) (out []slowRow) {
	const ofKind = 3
	seen := make(map[string]int)
	for i := range s.Slowest {
		r := &s.Slowest[i]
		if seen[r.Kind]++; seen[r.Kind] > ofKind || len(out) == maxSlowest {
			continue
		}
		row := slowRow{Kind: r.Kind, At: took(r.At), Took: took(r.Took), Split: newSplit(r.Spent, r.Stopped)}
		for _, step := range r.Path {
			to := pathRow{Indent: strings.Repeat("\u00a0\u00a0", min(step.Depth, 20)), Took: took(step.Took),
				State: step.State, Place: at.place(step.Stack)}
			if step.Depth > 0 && (step.State == "running" || step.State == "assist") {
				to.Goroutine = step.Goroutine
			}
			row.Path = append(row.Path, to)
		}
		out = append(out, row)
	}
	return out
}

// sites turn stacks into places.
type sites struct {
	module string
	links  *sourceurl.Links
}

// place is the innermost line that is neither the runtime's nor the standard library's, or else the innermost.
func (s sites) place(stack traces.Stack) place {
	if len(stack) == 0 {
		return place{Symbol: symbol{Name: "(no stack)"}, Mark: -1}
	}
	at := stack[0]
	for _, f := range stack {
		if stacks.FuncOf(f.Function, f.File, s.module).Owner < stacks.Std {
			at = f
			break
		}
	}
	return place{Frame: casefile.Frame{Function: at.Function, File: at.File, Line: at.Line}, Mark: -1,
		Symbol: splitSymbol(at.Function), URL: template.URL(s.links.URL(at.Function, at.File, at.Line))}
}
