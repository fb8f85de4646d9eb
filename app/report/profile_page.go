package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A ProfileInput is what the page of one profile is made of.
type ProfileInput struct {
	Case casefile.Case
	File string // of the case's evidence
	Data []byte
	Base *ProfileBase // what it is compared with; nil for nothing
	// TagRoot and TagLeaf are the keys of labels whose values are frames at the root and at the leaves, as the options
	// of go tool pprof of these names; empty for none, stacks.MaxLabelKey bytes at most.
	TagRoot, TagLeaf string
	Others           []casefile.Case // whose profiles it may be compared with, beside those of its own case
	Links            Links
}

// A ProfileBase is the profile that another is compared with.
type ProfileBase struct {
	Case casefile.Case // the same, or another
	File string
	Data []byte
}

// A Drawing is what of a profile's page takes time: its profile read and folded. It is the same for the same case, file
// and base, and never changed.
type Drawing struct{ page profilePage }

// Bytes is about how much memory a drawing holds.
func (d *Drawing) Bytes() int64 { return int64(len(d.page.Data)) + 64<<10 }

// A profilePage is what its template sees.
type profilePage struct {
	caseHead
	Evidence casefile.Evidence
	Graph    *graph // of the profile alone
	Graphs   []*graph
	Drawn    int
	Base     string // what it is compared with; empty for nothing
	Basis    []string
	Alone    string // the address of the page without the base
	Profiles []link // of the case
	Bases    []baseGroup
	Tags     []tagChoice // the labels that can be frames
	Tagged   bool        // there are such frames
	Download string
	Pprof    string // the address of the profile in google/pprof's pages
	Data     template.JS
}

// A baseGroup is the profiles of one case that can be a base.
type baseGroup struct {
	Name  string
	Links []link
}

// profileData is what web/profile.ts reads. Base is the value of the address's parameter.
type profileData struct {
	Flame        flameData `json:"flame"`
	File         string    `json:"file"`
	Base         string    `json:"base"`
	TagRoot      string    `json:"tagroot"`
	TagLeaf      string    `json:"tagleaf"`
	Download     string    `json:"download"`
	BaseDownload string    `json:"base_download"`
}

// Write writes the page that was drawn. Of its input it needs no data.
func (d *Drawing) Write(w io.Writer, in ProfileInput) error {
	p := d.page
	p.Profiles, p.Bases = profileLinks(in.Case, in.File), baseGroups(in, p.Evidence)
	if err := execute(w, "profile-page", profileTemplates, &p); err != nil {
		return fmt.Errorf("writing the page of %s in case %q: %w", in.File, in.Case.ID, err)
	}
	return nil
}

// DrawProfile reads a profile and its base.
func DrawProfile(in ProfileInput) (*Drawing, error) {
	p, err := newProfilePage(in)
	if err != nil {
		return nil, fmt.Errorf("drawing %s of case %q: %w", in.File, in.Case.ID, err)
	}
	for _, g := range p.Graphs { // all of them that a page shows is in the data
		g.tree, g.lines, g.names = nil, nil, nil
	}
	return &Drawing{*p}, nil
}

func newProfilePage(in ProfileInput) (*profilePage, error) {
	e, _ := evidenceOf(in.Case, in.File)
	table := stacks.NewTable(in.Case.Target.Build.Module)
	p := &profilePage{Evidence: e, Download: downloadURL(in.Case.ID, in.File), Pprof: pprofURL(in.Case.ID, in.File),
		Alone: in.address("")}
	p.Graphs = newGraphs([]Profile{{File: e.File, Kind: e.Kind, Phase: string(e.Phase), Data: in.Data,
		labels: in.labels()}}, table)
	p.Graph = p.Graphs[0]
	p.tag(in)
	p.caseHead = newCaseHead(in.Case, "profile", p.Graph.Title)
	data := profileData{File: in.File, TagRoot: in.TagRoot, TagLeaf: in.TagLeaf, Download: p.Download}
	if b := in.Base; b != nil {
		p.compare(in, e, table)
		data.Base, data.BaseDownload = b.Case.ID+"/"+b.File, downloadURL(b.Case.ID, b.File)
	}
	links := newLinks(Input{Case: in.Case, Links: in.Links}, table)
	enc := newEncoder(table)
	enc.links = links
	for _, g := range p.Graphs {
		if g.tree != nil {
			enc.add(g)
			p.Drawn++
		}
	}
	findings(in.Case, p.Graphs, enc, links)
	enc.out.Page = p.CaseURL
	data.Flame = enc.out
	text, err := json.Marshal(data) // escapes <, > and &, as newPage says
	p.Data = template.JS(text)
	return p, err
}

// compare adds the difference from the base, and what it rests on.
func (p *profilePage) compare(in ProfileInput, e casefile.Evidence, table *stacks.Table) {
	be, _ := evidenceOf(in.Base.Case, in.Base.File)
	pair := ProfilePair{Name: "difference", Kind: e.Kind, Before: in.Base.Data, After: in.Data,
		Labels: [2]string{"base", "this profile"}, frames: in.labels()}
	p.Base = sideText(in.Base.Case, be, in.Case.ID)
	g := newDiffs([]ProfilePair{pair}, maxPageNodes, table)[0]
	p.Graphs = append(p.Graphs, g)
	p.Basis = append(p.Basis, "Base: "+p.Base+".", "This profile: "+sideText(in.Case, e, in.Case.ID)+".")
	if g.Problem != "" {
		p.Basis = append(p.Basis, "They cannot be compared: "+g.Problem+".")
		return
	}
	switch g.Types[colAfter].Unit {
	case vitals.Cores:
		p.Basis = append(p.Basis, "CPU seconds of each are divided by the seconds that it ran.")
	case vitals.Bytes, vitals.Count:
		p.Basis = append(p.Basis, "Values are those of the two moments, not divided by time.")
	}
	p.Basis = append(p.Basis, "In all: "+g.diffSummary()+".")
}

// sideText says what a profile is and when it was taken; of another case than the page's, which one.
func sideText(c casefile.Case, e casefile.Evidence, here string) string {
	text := e.File
	if c.ID != here {
		text += " of case " + c.ID + " (" + c.Target.Name
		if v := c.Target.Build.Version; v != "" {
			text += " " + v
		}
		text += ")"
	}
	if !e.Taken.IsZero() {
		text += ", taken " + moment(e.Taken)
	}
	if e.Seconds > 0 {
		text += " for " + quantity(e.Seconds, vitals.Seconds)
	}
	if e.Note != "" {
		text += " (" + e.Note + ")"
	}
	return text
}

// profileLinks are the pages of the case's profiles.
func profileLinks(c casefile.Case, here string) (out []link) {
	for _, e := range c.Evidence {
		if isProfile(e) {
			out = append(out, link{Text: e.Kind, Detail: string(e.Phase), Here: e.File == here,
				URL: evidenceURL(c.ID, "profile", "file", e.File)})
		}
	}
	return out
}

// maxBases bounds how many profiles of one case are offered.
const maxBases = 20

// baseGroups are the profiles of the same kind in this case and others. What an engine gave of another time or version
// has a kind of its own and says in its note what it is.
func baseGroups(in ProfileInput, e casefile.Evidence) (out []baseGroup) {
	for i, c := range append([]casefile.Case{in.Case}, in.Others...) {
		g := baseGroup{Name: "This case"}
		if i > 0 {
			g.Name = moment(c.Opened) + ", " + titleOf(c)
		}
		for _, b := range c.Evidence {
			itself := c.ID == in.Case.ID && b.File == in.File
			if itself || !isProfile(b) || b.Kind != e.Kind && b.Kind != casefile.Quote || len(g.Links) == maxBases {
				continue
			}
			g.Links = append(g.Links, link{Text: b.File, Detail: b.Note,
				Here: in.Base != nil && in.Base.Case.ID == c.ID && in.Base.File == b.File,
				URL:  in.address(c.ID + "/" + b.File)})
		}
		if len(g.Links) > 0 {
			out = append(out, g)
		}
	}
	return out
}
