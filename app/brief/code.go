package brief

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
)

// Lines around those that facts name in shorter forms of an excerpt.
var narrower = [...]int{5, 2}

// code is a fact of sort code in its forms: with its excerpt, or in a line.
func (w *writer) code(f *facts.Fact) []string {
	for i := range w.sheet.Code {
		if e := &w.sheet.Code[i]; e.ID == f.ID {
			return w.excerpt(f, e)
		}
	}
	return []string{fmt.Sprintf("\n**%s** (of %s) %s\n", f.ID, strings.Join(f.Of, ", "), w.quoter.prose(f.Text))}
}

// excerpt is source with the numbers of its lines, and a mark before those that facts name; in shorter forms with fewer
// lines around them.
func (w *writer) excerpt(f *facts.Fact, e *facts.Excerpt) (forms []string) {
	forms = append(forms, w.lines(f, e, len(e.Lines)))
	for _, around := range narrower {
		forms = append(forms, w.lines(f, e, around))
	}
	return forms
}

func (w *writer) lines(f *facts.Fact, e *facts.Excerpt, around int) string {
	var lines []string
	margin := indent(e.Lines)
	last := 0
	for i, line := range e.Lines {
		n := e.First + i
		if !slices.ContainsFunc(e.Mark, func(m int) bool { return n >= m-around && n <= m+around }) {
			continue
		}
		if last > 0 && n > last+1 {
			lines = append(lines, "…")
		}
		last = n
		mark := " "
		if slices.Contains(e.Mark, n) {
			mark = ">"
		}
		lines = append(lines, mark+strconv.Itoa(n)+" "+sourceLine(strings.TrimPrefix(line, margin)))
	}
	at := facts.Frame{Function: e.Function, File: e.File, Owner: e.Owner}
	where := w.quoter.prose(w.shownFile(at))
	if e.Function != "" {
		where = span(short(e.Function)) + ", " + where
	}
	return fmt.Sprintf("\n**%s** (of %s) %s, %s:\n%s", f.ID, strings.Join(f.Of, ", "), where, w.whose(e),
		fenced("go", lines))
}

// notes are what a reader must know of the source, once.
func (w *writer) notes() string {
	var notes []string
	for i := range w.sheet.Code {
		if note := w.sheet.Code[i].Note; note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if len(notes) == 0 {
		return ""
	}
	return w.quoter.prose(strings.Join(notes, " ")) + "\n"
}

// whose says whose code an excerpt is.
func (w *writer) whose(e *facts.Excerpt) string {
	switch e.Owner {
	case facts.User:
		return "the user's"
	case facts.Dependency:
		return "a dependency's"
	}
	return "Go's"
}

// indent is the tabs with which all lines begin.
func indent(lines []string) string {
	least := -1
	for _, line := range lines {
		rest := strings.TrimLeft(line, "\t")
		if n := len(line) - len(rest); rest != "" && (least < 0 || n < least) {
			least = n
		}
	}
	return strings.Repeat("\t", max(least, 0))
}
