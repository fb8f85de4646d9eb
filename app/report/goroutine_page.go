package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A GoroutinesInput is what the page of a case's goroutines is made of: a goroutine profile or dump, and perhaps an
// earlier one.
type GoroutinesInput struct {
	Case     casefile.Case
	File     string
	Data     []byte
	Base     string // an earlier one of the same kind; empty for none
	BaseData []byte
	Links    Links
}

// NoBase is the value of the address's parameter base with which a page shows no growth.
const NoBase = "none"

// ChooseGoroutines picks the evidence of a page: what its address names, or else the latest dump, which says how long
// each goroutine waits, or the latest profile; and for the growth the first of the same kind, if it is earlier.
func ChooseGoroutines(c casefile.Case, file, base string) (chosen, against string, ok bool) {
	all := goroutineEvidence(c)
	at := slices.IndexFunc(all, func(e casefile.Evidence) bool { return e.File == file })
	if file == "" {
		for i, e := range all {
			if at < 0 || e.Kind == all[at].Kind || e.Kind == casefile.GoroutineDump {
				at = i
			}
		}
	}
	if at < 0 {
		return "", "", false
	}
	for _, e := range all {
		switch {
		case e.Kind != all[at].Kind || e.File == all[at].File || base == NoBase:
		case base == e.File, base == "" && e.Taken.Before(all[at].Taken):
			return all[at].File, e.File, true
		}
	}
	return all[at].File, "", base == "" || base == NoBase
}

// goroutineEvidence is in the order in which it was taken.
func goroutineEvidence(c casefile.Case) (out []casefile.Evidence) {
	for _, e := range c.Evidence {
		if e.Kind == casefile.GoroutineDump || e.Kind == casefile.Goroutine && e.GoFormat {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b casefile.Evidence) int { return a.Taken.Compare(b.Taken) })
	return out
}

// A goroutinesPage is what its template sees.
type goroutinesPage struct {
	caseHead
	Evidence casefile.Evidence
	Base     casefile.Evidence
	HasBase  bool
	IsDump   bool
	Download string
	Problem  string
	Notes    []string
	Files    []link // other goroutine evidence of the case
	Bases    []link
	Total    string
	Change   string
	States   []countRow
	Rows     []goroutineRow
	More     string // how much is not in Rows
	Creators []creatorRow
	Labels   []countRow
	NoLabels string // why there are none
}

// A countRow is how many goroutines have something in common.
type countRow struct {
	Name         string
	Count, Share string
	Part         float64
}

// WriteGoroutines writes the page of a goroutine profile or dump.
func WriteGoroutines(w io.Writer, in GoroutinesInput) error {
	p := newGoroutinesPage(in)
	if err := execute(w, "goroutines-page", tableTemplates, p); err != nil {
		return fmt.Errorf("writing the page of goroutines of case %q: %w", in.Case.ID, err)
	}
	return nil
}

func newGoroutinesPage(in GoroutinesInput) *goroutinesPage {
	p := &goroutinesPage{caseHead: newCaseHead(in.Case, "goroutines", "Goroutines"),
		Download: downloadURL(in.Case.ID, in.File), HasBase: in.Base != ""}
	p.Evidence, _ = evidenceOf(in.Case, in.File)
	p.Base, _ = evidenceOf(in.Case, in.Base)
	p.addFiles(in)
	table := stacks.NewTable(in.Case.Target.Build.Module)
	set, err := table.Read(stacks.Source{Name: in.File, Kind: casefile.Goroutine}, in.Data)
	if err == nil && set.Value(set.Kind, "count") < 0 {
		err = fmt.Errorf("it is not of goroutines")
	}
	if err != nil {
		p.Problem = err.Error()
		return p
	}
	var base *stacks.Set
	if p.HasBase {
		if base, err = table.Read(stacks.Source{Name: in.Base, Kind: casefile.Goroutine}, in.BaseData); err != nil {
			p.Notes = append(p.Notes, "There is no growth: "+err.Error()+".")
			base, p.HasBase = nil, false
		}
	}
	p.IsDump = set.Goroutines != nil
	p.note(set)
	t := newTally(table, newLinks(Input{Case: in.Case, Links: in.Links}, table))
	t.add(set, sideNow)
	if base != nil {
		t.add(base, sideBase)
	}
	p.fill(t)
	if p.HasBase {
		p.Change += p.since()
	}
	p.Labels, p.NoLabels = goroutineLabels(in.Data)
	return p
}

// since says how long before the base was taken.
func (p *goroutinesPage) since() string {
	d := p.Evidence.Taken.Sub(p.Base.Taken)
	if p.Base.Taken.IsZero() || d <= 0 {
		return " since " + p.Base.File
	}
	return " in " + quantity(d.Round(100*time.Millisecond).Seconds(), vitals.Seconds)
}

func (p *goroutinesPage) note(set *stacks.Set) {
	if set.Cut != "" {
		p.Notes = append(p.Notes, "Only partly read: "+set.Cut+".")
	}
	if len(set.Observed) > 0 && set.Observed[0] > 0 {
		p.Notes = append(p.Notes, "Left out: "+count(float64(set.Observed[0]))+" that took the evidence.")
	}
	if !p.IsDump {
		p.Notes = append(p.Notes, "A profile does not say how long goroutines wait, nor who started them: a dump does "+
			"(goroutine?debug=2).")
	}
}

// addFiles lists what else can be shown, and what can be a base.
func (p *goroutinesPage) addFiles(in GoroutinesInput) {
	here := p.Evidence
	for _, e := range goroutineEvidence(in.Case) {
		p.Files = append(p.Files, link{Text: e.File, Detail: p.Taken(e), Here: e.File == here.File,
			URL: evidenceURL(in.Case.ID, "goroutines", "file", e.File)})
		if e.Kind == here.Kind && e.File != here.File {
			p.Bases = append(p.Bases, link{Text: e.File, Detail: p.Taken(e), Here: e.File == in.Base,
				URL: evidenceURL(in.Case.ID, "goroutines", "file", here.File, "base", e.File)})
		}
	}
	if len(p.Bases) > 0 {
		p.Bases = append(p.Bases, link{Text: "nothing", Here: in.Base == "",
			URL: evidenceURL(in.Case.ID, "goroutines", "file", here.File, "base", NoBase)})
	}
}
