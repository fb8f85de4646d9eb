package server

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/diagnose"
)

// A detectorEntry is a detector as its page has it: what `casebook explain` prints.
type detectorEntry struct {
	diagnose.Detector
	Paragraphs []string
	Known      []render.Remedy // in the order in which to try them
	search     string          // in lower case
}

// detectorEntries are all detectors, by family and number. Their texts never change while the process runs.
var detectorEntries = sync.OnceValue(func() (all []detectorEntry) {
	for _, d := range diagnose.Detectors() {
		e := detectorEntry{Detector: d, Paragraphs: strings.Split(strings.TrimSpace(d.Text), "\n\n"),
			Known: render.Remedies(d)}
		words := append([]string{d.ID, d.Kind, d.Title, d.Text}, d.OtherNames...)
		for _, r := range e.Known {
			words = append(words, r.Title, r.Text)
		}
		e.search = strings.ToLower(strings.Join(words, "\n"))
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b detectorEntry) int { return strings.Compare(a.ID, b.ID) })
	return all
})

// A detectorsPage is the list of detectors that have some words, or one of them.
type detectorsPage struct {
	Words     string
	Kind      string
	All       int
	Detectors []detectorEntry
}

// detectors is the page of all kinds of findings, of those that have the words of ?q=, or of the one of ?kind=, which
// may be an ID or another name of a kind, too.
func (s *Server) detectors(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p := detectorsPage{Words: q.Get("q"), Kind: q.Get("kind"), All: len(detectorEntries())}
	for _, e := range detectorEntries() {
		if p.Kind != "" && !e.named(p.Kind) || !e.has(p.Words) {
			continue
		}
		p.Detectors = append(p.Detectors, e)
	}
	code := http.StatusOK
	if len(p.Detectors) == 0 && p.Kind != "" {
		code = http.StatusNotFound
	}
	s.answerPage(w, r, code, "detectors.html", p)
}

func (e *detectorEntry) named(name string) bool {
	return slices.ContainsFunc(append([]string{e.ID, e.Kind}, e.OtherNames...),
		func(s string) bool { return strings.EqualFold(s, name) })
}

func (e *detectorEntry) has(words string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(e.search, word) {
			return false
		}
	}
	return true
}
