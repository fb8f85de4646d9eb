package server

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/site"
	"github.com/gocasebook/casebook/app/store"
)

// A groupRow is a finding of a service in all of its cases, as tables show it.
type groupRow struct {
	store.Group
	Title  string // of its kind
	Place  string // the function without the path of its package
	Cost   string // "46 % of the CPU"
	Since  time.Time
	Newest string // the ID of a case
	List   string // the address of its cases
	New    bool   // since yesterday
	Trend  *chart
	Course string // what the trend says
	now    time.Time
}

// Ago is how long it has been there.
func (g *groupRow) Ago() string { return ago(g.Since, g.now) }

// LastAgo is how long ago it came last.
func (g *groupRow) LastAgo() string { return ago(g.Last, g.now) }

// kindTitles are the titles of detectors by kind.
var kindTitles = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for _, e := range detectorEntries() {
		all[e.Kind] = e.Title
	}
	return all
})

// groupRows adds to groups what only those that are shown need.
func (s *Server) groupRows(r *http.Request, groups []store.Group, span timeRange) ([]groupRow, error) {
	now := time.Now()
	rows := make([]groupRow, len(groups))
	keys := make([]store.GroupKey, len(groups))
	for i := range groups {
		keys[i] = groups[i].GroupKey
	}
	all, err := s.cfg.Cases.Occurrences(r.Context(), keys)
	if err != nil {
		return nil, err
	}
	for i, g := range groups {
		list := all[i]
		row := &rows[i]
		*row = groupRow{Group: g, Title: cmp.Or(kindTitles()[g.Kind], g.Kind), Place: path.Base(g.Function),
			Cost: costText(g.Resource, g.Share), List: listOf(g.GroupKey), now: now,
			Trend: counts(g.Parts, "cases by "+span.Unit+", the last is now: ")}
		if g.Function == "" {
			row.Place = ""
		}
		if row.Since, _ = store.Since(list); len(list) > 0 {
			row.Newest = list[0].Case
		} else { // removed meanwhile
			row.Since = g.Last
		}
		row.New = now.Sub(row.Since) < day
		row.Course = courseText(row)
	}
	return rows, nil
}

// courseText compares the last day with the one before.
func courseText(g *groupRow) string {
	switch {
	case g.New:
		return "new"
	case g.Recent > g.Before:
		return "more often"
	case g.Recent < g.Before && g.Recent == 0:
		return "not since yesterday"
	case g.Recent < g.Before:
		return "less often"
	case g.Recent == 0:
		return "not for two days"
	}
	return "as often"
}

// listOf is the address of the cases that have a finding.
func listOf(k store.GroupKey) string {
	return "/cases?" + url.Values{"service": {k.Service}, "kind": {k.Kind},
		"function": {cmp.Or(k.Function, site.OfProcess)}}.Encode()
}

// costText says what a finding takes.
func costText(resource string, share float64) string {
	switch {
	case resource == "" || share <= 0:
		return ""
	case resource == "cpu":
		resource = "CPU"
	}
	return percent(min(share, 1)) + " of the " + resource
}

// A groupsPage are all findings of a time, equal ones together.
type groupsPage struct {
	searchForm
	Rows    []groupRow
	Groups  store.Groups
	Ranges  []choice
	Range   timeRange
	Reading reading
}

// maxGroupRows is how many groups a page has: whoever has more of them searches.
const maxGroupRows = 100

func (s *Server) groups(w http.ResponseWriter, r *http.Request) {
	p := groupsPage{searchForm: newSearch("/findings", r.URL.Query())}
	code := http.StatusOK
	var err error
	if p.Range, err = p.read(usualRange); err != nil {
		p.Problem, code = err.Error(), http.StatusBadRequest
	}
	p.Ranges = p.Range.choices("/findings", p.Query)
	words := strings.Fields(strings.ToLower(p.Filter.Text))
	f := store.GroupFilter{Span: p.Range.from(time.Now()), Service: p.Filter.Service, Kind: p.Filter.Kind,
		Score: p.Filter.Score, Limit: maxGroupRows, Match: func(k store.GroupKey) bool { return hasWords(k, words) }}
	if p.Groups, err = s.cfg.Cases.Groups(r.Context(), f); err == nil {
		p.Rows, err = s.groupRows(r, p.Groups.List, p.Range)
	}
	if err == nil {
		p.Services, err = s.cfg.Cases.Services(r.Context())
	}
	if err == nil {
		p.Reading, err = s.reading()
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.answerPage(w, r, code, "findings.html", &p)
}

func hasWords(k store.GroupKey, words []string) bool {
	text := strings.ToLower(strings.Join([]string{k.Service, k.Kind, k.Function, kindTitles()[k.Kind]}, "\n"))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// A searchForm is what the lists of findings and of cases are searched by.
type searchForm struct {
	Path     string
	Query    url.Values
	Filter   store.Filter
	Services []store.Service
	Problem  string // of the filter
}

func newSearch(path string, q url.Values) searchForm {
	dropEmpty(q)
	return searchForm{Path: path, Query: q}
}

// read reads the query, and takes the range out of it into the answer.
func (f *searchForm) read(usual string) (timeRange, error) {
	rest := url.Values{}
	for name, values := range f.Query {
		rest[name] = values
	}
	span, err := rangeOf(rest, usual)
	var of error
	if f.Filter, of = readFilter(rest); of != nil {
		f.Filter = store.Filter{}
	}
	return span, cmp.Or(of, err)
}

// Range is the range that the form keeps.
func (f *searchForm) KeptRange() string { return f.Query.Get("range") }

// Kept are the parts of the search that have no field, each with the address of the page without it.
func (f *searchForm) Kept() (list []choice) {
	for _, name := range []string{"kind", "function", "rule", "label", "from", "to"} {
		for _, value := range f.Query[name] {
			text := fmt.Sprintf("%s: %s", name, value)
			if title := kindTitles()[value]; name == "kind" && title != "" {
				text = title
			}
			list = append(list, choice{Text: text, URL: f.without(name)})
		}
	}
	return list
}

// without is the page's address without a part of the search; a function is of a kind.
func (f *searchForm) without(name string) string {
	q := f.Query
	if name == "kind" {
		q = url.Values{}
		for key, values := range f.Query {
			if key != "function" {
				q[key] = values
			}
		}
	}
	return addressOf(f.Path, q, name, "")
}

// Hidden are the parts of the search that the form hands on.
func (f *searchForm) Hidden() (list []choice) {
	for _, name := range []string{"range", "kind", "function", "rule", "label", "from", "to"} {
		for _, value := range f.Query[name] {
			list = append(list, choice{Text: name, URL: value})
		}
	}
	return list
}
