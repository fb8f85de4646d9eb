package report

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/site"
	"github.com/gocasebook/casebook/casefile"
)

// The pages of a case's evidence: one profile, its goroutines, its memory, its execution trace. Only `casebook serve`
// has them, because they link to each other and to what can be downloaded; each loads nothing else, as the page of a
// case. Addresses are those of package app/server.

func caseURL(id string) string { return "/cases/" + url.PathEscape(id) }

func serviceURL(name string) string { return "/service?name=" + url.QueryEscape(name) }

// evidenceURL is the page of one kind of evidence. Pairs are names and values of the query; empty values are left out.
func evidenceURL(id, page string, pairs ...string) string {
	at := caseURL(id) + "/" + page
	sep := "?"
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			at += sep + pairs[i] + "=" + strings.ReplaceAll(url.QueryEscape(pairs[i+1]), "%2F", "/")
			sep = "&"
		}
	}
	return at
}

// downloadURL is where a file of the evidence is as it was taken.
func downloadURL(id, file string) string {
	return "/api/v1/cases/" + url.PathEscape(id) + "/evidence/" + escapedPath(file)
}

// pprofURL is where a profile is in google/pprof's own pages.
func pprofURL(id, file string) string {
	return caseURL(id) + "/pprof/" + escapedPath(file) + "/flamegraph"
}

func escapedPath(file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// A link is a page to go to.
type link struct {
	Text, Detail, URL string
	Here              bool // it is the page that shows it
}

// evidenceLinks are the pages that a case has evidence for.
func evidenceLinks(c casefile.Case, here string) []link {
	has := func(kinds ...string) bool {
		return slices.ContainsFunc(c.Evidence, func(e casefile.Evidence) bool { return slices.Contains(kinds, e.Kind) })
	}
	var out []link
	add := func(page, text string, ok bool) {
		if ok || page == here {
			out = append(out, link{Text: text, URL: evidenceURL(c.ID, page), Here: page == here})
		}
	}
	add("profile", "Profile", slices.ContainsFunc(c.Evidence, isProfile))
	add("goroutines", "Goroutines", has(casefile.Goroutine, casefile.GoroutineDump))
	pictured := c.Picture != nil && (c.Picture.Memory != nil || len(c.Picture.Ages) > 0)
	add("memory", "Memory", has(casefile.HeapRefs) || pictured)
	add("trace", "Trace", has(casefile.Trace))
	add("lines", "Lines", slices.ContainsFunc(c.Evidence, isProfile) && FirstPlace(&c) != "")
	return out
}

func isProfile(e casefile.Evidence) bool { return e.GoFormat }

// addPages adds to files of evidence the addresses of their own pages.
func addPages(rows []fileRow, id string) {
	for i := range rows {
		if page := pageOf(rows[i].Evidence); page != "" {
			rows[i].Page = evidenceURL(id, page, "file", rows[i].File)
		}
	}
}

// pageOf is the page that shows a file of evidence alone; empty for none.
func pageOf(e casefile.Evidence) string {
	switch {
	case isProfile(e):
		return "profile"
	case e.Kind == casefile.GoroutineDump:
		return "goroutines"
	case e.Kind == casefile.Trace:
		return "trace"
	case e.Kind == casefile.HeapRefs:
		return "memory"
	}
	return ""
}

// Others are the cases that a server has beside the one of a page.
type Others struct {
	Findings []Recurring // by the findings of the case, the first ones
	Before   string      // the ID of the case of the service before this one; empty for none
	After    string      // and after it
}

// A Recurring is how often a finding of the case has come in its service.
type Recurring struct {
	Key    FindingKey
	Cases  int       // of this run: without a week between two of them
	Since  time.Time // the first of these
	Before string    // the ID of the case before this one that has it; empty for none
	Newest string    // the ID of the newest one, if it is another
}

// A FindingKey is what makes findings of several cases the same one.
type FindingKey struct{ Service, Kind, Function string }

// List is the address of the cases that have it.
func (k FindingKey) List() string {
	q := url.Values{"service": {k.Service}, "kind": {k.Kind}, "function": {cmp.Or(k.Function, site.OfProcess)}}
	return "/cases?" + q.Encode()
}

// Everywhere is the address of the same kind of finding in all services.
func (k FindingKey) Everywhere() string { return "/findings?" + url.Values{"kind": {k.Kind}}.Encode() }

// comparison is the address of the comparison of two cases.
func comparison(before, after string) string {
	return "/compare?" + url.Values{"a": {before}, "b": {after}}.Encode()
}

// A caseHead is what the pages of a case's evidence have in common.
type caseHead struct {
	Case    casefile.Case
	Zero    time.Time // the trigger
	Heading string
	CaseURL string
	Service string // the address of the service's page
	Pages   []link
}

func newCaseHead(c casefile.Case, page, heading string) caseHead {
	return caseHead{Case: c, Zero: zeroOf(Input{Case: c}), Heading: heading, CaseURL: caseURL(c.ID),
		Service: serviceURL(c.Target.Name), Pages: evidenceLinks(c, page)}
}

// Taken says when evidence was taken, relative to the trigger.
func (h *caseHead) Taken(e casefile.Evidence) string {
	if e.Taken.IsZero() {
		return ""
	}
	return offset(e.Taken.Sub(h.Zero))
}

// evidenceOf finds a file of the evidence.
func evidenceOf(c casefile.Case, file string) (casefile.Evidence, bool) {
	i := slices.IndexFunc(c.Evidence, func(e casefile.Evidence) bool { return e.File == file })
	if i < 0 {
		return casefile.Evidence{File: file}, false
	}
	return c.Evidence[i], true
}
