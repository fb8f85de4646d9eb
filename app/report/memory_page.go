package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// A MemoryInput is what the page of a case's memory is made of, beside the case's own picture.
type MemoryInput struct {
	Case    casefile.Case
	File    string        // of the holders
	Holders *refs.Summary // of a heap dump; nil without one
	Problem string        // why it cannot be read
	Links   Links
}

// A memoryPage is what its template sees.
type memoryPage struct {
	caseHead
	Memory   *memory
	Ages     []age
	File     string
	Download string
	Problem  string
	Dump     *refs.Summary
	Reached  string
	Roots    []countRow
	Holders  []holderRow
	Sites    []heldSite
	Profiles []link
}

// A holderRow is a root and what it holds.
type holderRow struct {
	Held, Share, Objects string
	Part                 float64
	Text                 string
	Also                 []string
	Parts                []string
	Allocated            []string
}

// A heldSite is a line that allocates, and who holds what it allocated.
type heldSite struct {
	Bytes, Site string
	Held        []string
}

// WriteMemory writes the page of a case's memory.
func WriteMemory(w io.Writer, in MemoryInput) error {
	p := newMemoryPage(in)
	if err := execute(w, "memory-page", tableTemplates, p); err != nil {
		return fmt.Errorf("writing the page of memory of case %q: %w", in.Case.ID, err)
	}
	return nil
}

func newMemoryPage(in MemoryInput) *memoryPage {
	p := &memoryPage{caseHead: newCaseHead(in.Case, "memory", "Memory"), Memory: newMemory(in.Case.Picture),
		File: in.File, Problem: in.Problem, Dump: in.Holders}
	p.Ages = newAges(in.Case.Picture, newLinks(Input{Case: in.Case, Links: in.Links}, stacks.NewTable("")))
	if in.File != "" {
		p.Download = downloadURL(in.Case.ID, in.File)
	}
	for _, e := range in.Case.Evidence {
		if isProfile(e) && (e.Kind == casefile.Heap || e.Kind == casefile.Allocs) {
			p.Profiles = append(p.Profiles, link{Text: e.File, Detail: p.Taken(e),
				URL: evidenceURL(in.Case.ID, "profile", "file", e.File)})
		}
	}
	if s := in.Holders; s != nil {
		p.Reached = size(s.Reached.Bytes)
		p.Roots, p.Holders, p.Sites = rootRows(s), holderRows(s), heldSites(s)
	}
	return p
}

func size(bytes uint64) string { return quantity(float64(bytes), vitals.Bytes) }

// rootRows are what each kind of root holds, and what none does.
func rootRows(s *refs.Summary) (out []countRow) {
	add := func(name string, bytes uint64) {
		part := float64(bytes) / float64(max(s.Bytes, 1))
		out = append(out, countRow{Name: name, Count: size(bytes), Share: percent(part), Part: part})
	}
	for _, r := range s.Roots {
		add(r.Kind.Plural(), r.Bytes)
	}
	if s.Bytes > s.Reached.Bytes {
		add("nothing that the dump has (garbage, cleanups)", s.Bytes-s.Reached.Bytes)
	}
	return out
}

// Bounds of the page's tables.
const (
	maxHolders = 40
	maxSites   = 40
)

func holderRows(s *refs.Summary) (out []holderRow) {
	for _, h := range s.Holders[:min(len(s.Holders), maxHolders)] {
		r := holderRow{Held: size(h.Bytes), Share: percent(h.Share), Objects: count(float64(h.Objects)), Part: h.Share,
			Text: s.Describe(h.Root)}
		for _, also := range h.Also {
			r.Also = append(r.Also, also.String())
		}
		for _, part := range h.Parts {
			r.Parts = append(r.Parts, size(part.Bytes)+" by "+chainText(h.Root, part))
		}
		for _, a := range h.Allocated {
			r.Allocated = append(r.Allocated, siteName(a.Site)+", "+percent(a.Share)+" of it")
		}
		out = append(out, r)
	}
	return out
}

func siteName(s refs.Site) string {
	f := casefile.Frame{Function: words.Function(s.Function), File: words.Base(s.File), Line: int(s.Line)}
	return words.Place(f)
}

// chainText is the way from a root to a place: fields, or else offsets of pointers, and types, or else sizes.
func chainText(root refs.Root, part refs.Part) string {
	text := words.Function(cmp.Or(part.Function, root.Name))
	for i, s := range part.Chain {
		switch {
		case s.Skipped > 0:
			text += " → " + count(float64(s.Skipped)) + " more"
		case i > 0:
			text += "." + cmp.Or(s.Field, "+"+strconv.FormatUint(s.Offset, 10))
		}
		text += " → " + cmp.Or(words.Function(s.Type), size(s.Size))
	}
	return text
}

func heldSites(s *refs.Summary) (out []heldSite) {
	for _, site := range s.Sites[:min(len(s.Sites), maxSites)] {
		row := heldSite{Bytes: size(site.Bytes), Site: siteName(site.Site)}
		for _, by := range site.Held {
			row.Held = append(row.Held, percent(by.Share)+" held by "+by.Root.String())
		}
		out = append(out, row)
	}
	return out
}
