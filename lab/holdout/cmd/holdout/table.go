package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// A table counts the verdicts of the rows it printed.
type table struct {
	count  map[string]int
	false  int // warnings that are not true, beside or instead of the fault
	notice int // of healthy services

	sick, found, first int // services with a fault, those where it is found, and where that is the first finding
	// findings of warningScore and more, those that are the fault, and those true beside it
	warnings, exact, symptoms int
}

// add prints a row: as Markdown, for docs/evidence/accuracy.md.
func (t *table) add(w io.Writer, e expectation, d casefile.Diagnosis) {
	if t.count == nil {
		t.count = make(map[string]int)
		fmt.Fprint(w, "| program | expected | first two findings | verdict |\n|---|---|---|---|\n")
	}
	j := e.judge(d.Findings)
	t.count[j.verdict]++
	t.false += len(j.false)
	t.measure(e, d.Findings)
	verdict := j.verdict
	if !e.Healthy && len(j.false) > 0 {
		verdict += "; not true: " + name(j.false)
	}
	if e.Healthy {
		t.notice += j.notices
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s |\n", e.Name, e.text(), said(d), verdict)
}

// measure counts strictly: a finding is the fault if its kind and its place are.
func (t *table) measure(e expectation, findings []casefile.Finding) {
	found, first := false, false
	for i, f := range findings {
		fault := !e.Healthy && slices.Contains(e.Kinds, f.Kind) && e.blames(f)
		found = found || fault && f.Score >= noticeScore
		first = first || fault && f.Score >= noticeScore && i == 0
		if f.Score < warningScore {
			continue
		}
		t.warnings++
		switch {
		case fault:
			t.exact++
		case slices.Contains(e.Also, f.Kind):
			t.symptoms++
		}
	}
	if e.Healthy {
		return
	}
	t.sick++
	if found {
		t.found++
	}
	if first {
		t.first++
	}
}

// text is the expectation in a cell.
func (e expectation) text() string {
	if e.Healthy {
		return "nothing: " + e.Style
	}
	if len(e.Functions) == 0 {
		return e.Kinds[0]
	}
	return e.Kinds[0] + " at `" + e.Functions[0] + "`"
}

// said are the first two findings in a cell.
func said(d casefile.Diagnosis) string {
	var cells []string
	for i, f := range d.Findings {
		if i == 2 {
			cells = append(cells, fmt.Sprintf("and %d more", len(d.Findings)-2))
			break
		}
		place := "no place"
		if len(f.Where) > 0 {
			place = fmt.Sprintf("`%s`:%d", short(f.Where[0].Function), f.Where[0].Line)
		}
		cells = append(cells, fmt.Sprintf("%s %d at %s", f.Kind, f.Score, place))
	}
	if len(cells) == 0 {
		return "nothing"
	}
	return strings.Join(cells, "; ")
}

// short is a function without the path of its package.
func short(function string) string {
	return function[strings.LastIndex(function, "/")+1:]
}

func name(findings []casefile.Finding) string {
	var names []string
	for _, f := range findings {
		names = append(names, fmt.Sprintf("%s %d", f.Kind, f.Score))
	}
	return strings.Join(names, ", ")
}

func (t *table) totals(w io.Writer) {
	fmt.Fprintf(w,
		"\nfaults: %d hit, %d partial, %d missed; healthy: %d clean, %d false alarms, %d untrue notices; untrue "+
			"warnings in all: %d\n",
		t.count[hit], t.count[partial], t.count[miss], t.count[clean], t.count[falseAlarm], t.notice, t.false)
	fmt.Fprintf(w, "strictly, kind and place: %d of %d faults found, %d of them as the first finding; of %d findings "+
		"of %d and more %d are the fault and %d more are true beside it\n",
		t.found, t.sick, t.first, t.warnings, warningScore, t.exact, t.symptoms)
}
