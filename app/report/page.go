package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/words"
)

// A page is what the templates see.
type page struct {
	casefile.Case
	Zero     time.Time // the trigger: 0:00 of every relative time
	Title    string
	Timeline timeline
	Findings []finding
	Lines    []pictureLine
	Memory   *memory
	Ages     []age
	Graphs   []*graph  // the profiles, and then the differences
	Phases   []*graph  // the differences
	Drawn    int       // graphs that can be drawn
	Opinions []opinion // what others say of the case
	Proven   *proven   // the proof; nil without one
	Files    []fileRow
	Pages    []link      // of the evidence, where a server has them
	Source   string      // what a reader must know of the lines of source; "" for nothing
	NoLinks  string      // why places have no links although they were asked for
	Data     template.JS // the JSON that the script reads
	Answer   Answering   // how its reader can give an opinion
	Served   bool        // by casebook serve: the page is one of its
	Path     string      // where, then
	Others   Others
}

// caseData is what web/main.ts reads.
type caseData struct {
	Vitals timelineData `json:"vitals"`
	Flame  flameData    `json:"flame"`
}

// A finding is a casefile.Finding with what the page adds.
type finding struct {
	words.Finding
	Index     int
	Places    []place
	Causes    []cause
	Explained int // the finding before this one that has the same explanation; −1 without one
	Rests     []basis
	Proven    *proven    // the proof, if it is about this finding
	Opinions  []*opinion // that are at its place
	Again     *Recurring // the cases that have it, where a server knows them
}

// A place is one frame of a finding.
type place struct {
	casefile.Frame
	Symbol symbol
	List   string       // where a server shows what its lines cost; empty for nowhere
	Mark   int          // index in flameData.Marks, −1 when no profile of the page shows it
	URL    template.URL // where the line can be read; "" if that is not known
}

// Lines are those of the source around it.
func (p place) Lines() []words.SourceLine { return words.Source(p.Frame) }

// A basis is one artefact that a finding rests on.
type basis struct {
	casefile.Basis
	Graph int  // the tab that draws it; −1 when none does
	Again bool // a finding before this one has the same text for it
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
	Page    string // where a server shows it alone; empty for nowhere
}

func newPage(in Input) (*page, error) {
	table := stacks.NewTable(in.Case.Target.Build.Module)
	p := &page{Case: in.Case, Zero: zeroOf(in), Graphs: newGraphs(in.Profiles, table)}
	p.Phases = newDiffs(phasePairs(in), maxPhaseNodes, table)
	p.Graphs = append(p.Graphs, p.Phases...)
	p.Timeline = newTimeline(in, p.Zero)
	p.Title = titleOf(in.Case)
	links := newLinks(in, table)
	enc := newEncoder(table)
	enc.links = links
	for _, g := range p.Graphs {
		if g.tree != nil {
			enc.add(g)
			p.Drawn++
		}
	}
	p.NoLinks, p.Source = links.Why(), in.LinesNote
	p.Findings = findings(in.Case, p.Graphs, enc, links)
	for _, g := range p.Phases {
		for i := range g.Grown {
			at := &g.Grown[i].place
			at.URL = template.URL(links.URL(at.Function, at.File, at.Line))
		}
	}
	p.Lines = pictureLines(in.Case.Picture, links)
	p.Memory, p.Ages = newMemory(in.Case.Picture), newAges(in.Case.Picture, links)
	p.addProof(in.Case)
	p.addOpinions(in.Case, links)
	p.Files = fileRows(in.Case.Evidence, p.Graphs, p.Zero)
	if in.Links.Served {
		p.Answer, p.Served, p.Path, p.Others = in.Links.Answer, true, caseURL(in.Case.ID), in.Others
		p.Pages = evidenceLinks(in.Case, "")
		for i := range min(len(p.Findings), len(in.Others.Findings)) {
			p.Findings[i].Again = &in.Others.Findings[i]
		}
		p.addLists()
		addPages(p.Files, in.Case.ID)
	}
	data, err := json.Marshal(caseData{p.Timeline.Data, enc.out})
	if err != nil {
		return nil, fmt.Errorf("encoding the data of the charts: %w", err)
	}
	// json.Marshal escapes <, > and &, so no value can end the script element.
	p.Data = template.JS(data)
	return p, nil
}

// ServiceURL is the server's page of the service.
func (p *page) ServiceURL() string { return serviceURL(p.Target.Name) }

// A lacking is what several detectors had too little evidence for: the same, with the same capture next.
type lacking struct {
	casefile.Undecided
	Names []casefile.Undecided
}

// Lacking are the detectors that could not decide, those together that lack the same.
func (p *page) Lacking() (list []lacking) {
	for _, u := range p.Undecided {
		at := slices.IndexFunc(list, func(l lacking) bool {
			return l.Reason == u.Reason && l.CaptureNext == u.CaptureNext
		})
		if at < 0 {
			at, list = len(list), append(list, lacking{Undecided: u})
		}
		list[at].Names = append(list[at].Names, u)
	}
	return list
}

// addLists leads from the places of findings to what their functions' lines cost.
func (p *page) addLists() {
	if !slices.ContainsFunc(p.Evidence, isProfile) {
		return
	}
	for i := range p.Findings {
		for k := range p.Findings[i].Places {
			if at := &p.Findings[i].Places[k]; at.Function != "" {
				at.List = linesURL(p.ID, at.Function)
			}
		}
	}
}

// zeroOf returns the moment of the trigger; for a case without one, its opening or its first sample.
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
	return cmp.Or(c.Unexplained(), "No findings")
}

// newLinks learns from all functions of the profiles where the module was built.
func newLinks(in Input, table *stacks.Table) *sourceurl.Links {
	links := sourceurl.New(in.Links.Source, in.Case.Target.Build, in.Links.Dir)
	if links.None() {
		return links
	}
	for i := range table.Funcs {
		links.Learn(table.Funcs[i].Name, table.Funcs[i].File)
	}
	for _, f := range in.Case.Findings {
		for _, w := range f.Where {
			links.Learn(w.Function, w.File)
		}
	}
	return links
}

// findings prepares the findings and marks their places in the flame graphs.
func findings(c casefile.Case, graphs []*graph, enc *encoder, links *sourceurl.Links) []finding {
	out := make([]finding, len(c.Findings))
	seen := make(map[casefile.Basis]bool)
	for i, f := range c.Findings {
		enc.out.Findings = append(enc.out.Findings, f.Title)
		out[i] = finding{Finding: words.Of(f), Index: i, Causes: causes(c, f), Explained: -1}
		if f.Explanation != "" {
			same := func(g casefile.Finding) bool { return g.Explanation == f.Explanation }
			if first := slices.IndexFunc(c.Findings, same); first < i {
				out[i].Explained = first
			}
		}
		for _, b := range f.Evidence {
			out[i].Rests = append(out[i].Rests, basis{Basis: b, Graph: drawnIn(b.File, graphs), Again: seen[b]})
			seen[b] = true
		}
		for _, w := range f.Where {
			// sourceurl escapes what comes from evidence, and scheme and host are the user's own.
			p := place{Frame: w, Symbol: splitSymbol(w.Function), Mark: -1,
				URL: template.URL(links.URL(w.Function, w.File, w.Line))}
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

// drawnIn returns the position of a file's graph among those that are drawn, or −1.
func drawnIn(file string, graphs []*graph) int {
	at := 0
	for _, g := range graphs {
		if g.tree == nil {
			continue
		}
		if g.File == file {
			return at
		}
		at++
	}
	return -1
}

// showing finds the drawn graph that has a function: the first that the finding rests on, otherwise the first at all.
// It returns −1 if there is none.
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
