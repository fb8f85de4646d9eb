package play

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/vitals"
)

// preface says what the page is; the rest of it is made from a run.
const preface = `# The lab: sick services, their cures, and what was measured

Each service was run sick and cured. The sick form was under load and watched from outside, through net/http/pprof, with the default
rules, until a case was closed; then both forms were up and loaded in turns, so that what the machine did meanwhile happened to both. (A
service that finds its work by itself cannot wait for a turn: its forms were measured one after the other.) A sick form must get its
finding at the top, and a cured one none of 50 or more. What a finding promised stands beside what its cure brought; reported figures
are those of the engineers who described the disease, on their machines.

Where a row has a CPU for its service, the load, what the service depends on and the watcher are kept away from that CPU. The load of
rows whose disease is CPU is scaled to the machine: it is more than the sick form can do, from as many callers as the row says, so that it is
busy all the time and its queue is bounded; what finds all callers waiting counts as an error.

Most cures are another form of the service, written by hand. Where a cure is by ` + "`casebook fix`" + `, nobody wrote it: the cured form is
the sick one, built with the change that ` + "`casebook fix KIND`" + ` made for the finding of the sick form's case.

A row that does not hold is LIMITED, and shows nothing, when other processes left it too little of the machine meanwhile, or when the
machine lacks what it needs.

This page is written by a run and not by hand: ` + "`make lab`" + ` repeats all of it, ` + "`lab run SERVICE/DISEASE`" + ` one row,
and ` + "`lab ls`" + ` says what there is. A row is one run of each form: ` + "`casebook prove`" + ` says how much starts differ.
`

// A page is docs/evidence/lab.md on its way.
type page struct{ strings.Builder }

// WriteMarkdown writes the report as docs/evidence/lab.md. services say what each service does, and are its order.
func (r *Report) WriteMarkdown(w io.Writer, services []lab.Service) error {
	p := &page{}
	p.WriteString(preface)
	p.facts(r)
	p.summary(r)
	for _, s := range services {
		p.service(s, r)
	}
	p.ratios(r)
	if len(r.Tables) > 0 {
		p.WriteString("\n## Micro-benchmarks\n")
		if r.Measured != "" {
			p.WriteString("\n" + r.Measured + "\n")
		}
		for _, t := range r.Tables {
			p.WriteString("\n")
			if err := t.WriteMarkdown(p, 3); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// facts say where and when, a line for each machine and casebook.
func (p *page) facts(r *Report) {
	p.WriteString("\n")
	p.row("machine", "Casebook", "measured", "taken", "rows", "time")
	p.rule(6, 0, 0)
	for _, run := range r.runs() {
		first, last := span(run.rows)
		when := first.Format("2006-01-02")
		if d := last.Format("2006-01-02"); d != when {
			when += " to " + d
		}
		var seconds float64
		for i := range run.rows {
			seconds += run.rows[i].Seconds
		}
		p.row(run.machine, run.tool, r.Measure+" a row", when, fmt.Sprint(len(run.rows)),
			(time.Duration(seconds) * time.Second).String())
	}
}

// span is the time of the first and of the last row; zero without any.
func span(rows []Result) (first, last time.Time) {
	for i := range rows {
		if t := rows[i].Taken; first.IsZero() || t.Before(first) {
			first = t
		}
		if t := rows[i].Taken; t.After(last) {
			last = t
		}
	}
	return first, last
}

// summary is every row in a line.
func (p *page) summary(r *Report) {
	p.WriteString("\n## All rows\n\n")
	p.row("disease", "finding of the sick form", "cure by", "cured: 50 or more", "cure", "reported", "")
	p.rule(7, 0, 0)
	for i := range r.Rows {
		row := &r.Rows[i]
		p.row("["+row.Name()+"](#"+anchor(row)+")", top(row.Findings), row.madeBy(), list(loud(row.Cured)),
			row.keyText(), reported(row), state(row))
	}
}

// anchor is GitHub's for the row's heading.
func anchor(r *Result) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
			return c
		case c == ' ':
			return '-'
		}
		return -1
	}, strings.ToLower(r.Name()))
}

// reported is the article's change of the key figure: "−60 %".
func reported(r *Result) string {
	if r.Reported == 0 {
		return ""
	}
	return prove.ChangeText(casefile.Figure{Before: casefile.Stat{Value: 1}, After: casefile.Stat{Value: r.Reported}})
}

// state is short: why a row does not hold is told in its own section.
func state(r *Result) string {
	switch {
	case r.Error != "":
		return "**not finished**"
	case r.Limited():
		return "LIMITED"
	case len(r.Fails) > 0:
		return "**does not hold**"
	case r.Needs != "":
		return "needs " + r.Needs
	}
	return "holds"
}

// service is a section: what it is, and its rows.
func (p *page) service(s lab.Service, r *Report) {
	begun := false
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Service != s.Name {
			continue
		}
		if !begun {
			fmt.Fprintf(p, "\n## %s\n\n%s.\n", s.Name, sentence(s.Text))
			begun = true
		}
		p.disease(row)
	}
}

// sentence begins with a capital and has no full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".")
}

// disease is one row's section.
func (p *page) disease(r *Result) {
	fmt.Fprintf(p, "\n### %s\n\n", r.Name())
	p.point("sick", r.Sick)
	p.point("cure", r.Cure)
	if r.Fixed != nil {
		p.point("made by", "`casebook fix "+r.Fixed.Kind+"`: "+r.Fixed.text())
	}
	if r.Article != "" {
		p.point("reported", r.Article)
	}
	p.point("found", foundIn(r))
	if r.Below != nil {
		p.point("found below its limit", r.Below.text())
	}
	if r.Capacity != nil {
		p.point("capacity", r.Capacity.text())
	}
	for _, l := range r.Loads {
		p.point("cured form under a fixed load", l.text())
	}
	if r.Cycles != nil {
		p.point("collector", r.Cycles.text())
	}
	p.point("cured form, 50 or more", list(loud(r.Cured)))
	p.point("promise", r.promiseText())
	if text := r.beside(); text != "" {
		p.point("beside what is reported", text)
	}
	p.point("result", r.stateText())
	if r.Note != "" {
		fmt.Fprintf(p, "\n%s\n", r.Note)
	}
	p.diffs(r)
	p.figures(r)
}

// foundIn is what was found of the sick form, how the case came about, and where the fault is.
func foundIn(r *Result) string {
	text := list(r.Findings)
	if len(r.Findings) > 0 && r.Findings[0].Function != "" {
		text += ", in `" + r.Findings[0].Function + "`"
	}
	return text + " (" + r.openedText() + ")"
}

// diffs are the changes of casebook fix.
func (p *page) diffs(r *Result) {
	if r.Fixed == nil {
		return
	}
	for _, c := range r.Fixed.Changes {
		fmt.Fprintf(p, "\n```diff\n%s\n```\n", strings.TrimRight(c.Diff, "\n"))
	}
}

func (p *page) point(name, text string) { fmt.Fprintf(p, "- %s: %s\n", name, oneLine(text)) }

// figures is the table of what moved: the key figure, and whatever is better or worse.
func (p *page) figures(r *Result) {
	if r.Proof == nil {
		return
	}
	fmt.Fprintf(p, "\n%s.\n\n", sentence(r.Proof.Load))
	p.row("figure", "sick", "cured", "change", "verdict")
	p.rule(5, 1, 4)
	for _, f := range r.Proof.Figures {
		if !r.tells(f) && f.Verdict != casefile.Better && f.Verdict != casefile.Worse || f.Before.N == 0 ||
			f.After.N == 0 {
			continue
		}
		name := f.Name
		if f.Key {
			name = "**" + name + "**"
		}
		u := vitals.Unit(f.Unit)
		p.row(name, u.Format(f.Before.Value), u.Format(f.After.Value), prove.ChangeText(f), string(f.Verdict))
	}
	if g := r.Goroutines; g.notable() {
		p.row("goroutines", vitals.Count.Format(g.Sick), vitals.Count.Format(g.Cured), g.change(), "")
	}
}

// ratios puts all promises beside what was measured.
func (p *page) ratios(r *Report) {
	p.WriteString("\n## Promised and measured\n\n" +
		"A finding promises a range of what its remedy frees. The ratio is the measured gain over the middle of that " +
		"range: above 1 it promised too little, below 1 too much.\n\n")
	p.row("disease", "finding", "promised", "measured", "ratio")
	p.rule(5, 4, 5)
	for i := range r.Rows {
		row := &r.Rows[i]
		k := row.Kept
		if k == nil {
			p.row(row.Name(), kindOf(row, ""), "–", row.promiseText(), "–")
			continue
		}
		p.row(row.Name(), kindOf(row, k.ID), prove.GainRange(k.Promised)+" of "+k.Resource,
			less(k.Measured)+" ("+k.Figure+")", row.ratioText())
	}
}

// kindOf is the kind of the finding with that ID, or of the first.
func kindOf(r *Result, id string) string {
	for _, f := range r.Findings {
		if f.ID == id || id == "" {
			return f.Kind
		}
	}
	return "–"
}

// row writes a row of a table; a bar in a cell would begin another.
func (p *page) row(cells ...string) {
	p.WriteString("|")
	for _, c := range cells {
		p.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
	}
	p.WriteString("\n")
}

// rule is the line below a table's head of n columns, of which those from left to right hold figures.
func (p *page) rule(n, left, right int) {
	p.WriteString("|")
	for i := range n {
		if i >= left && i < right {
			p.WriteString("---:|")
		} else {
			p.WriteString("---|")
		}
	}
	p.WriteString("\n")
}

// tells says whether a figure is shown whatever its verdict: those that every reader looks for, the bytes of a stream
// and what is written of them where the row has one, the share of requests that fail where some do, those of which an
// article reports a factor, and of a cure for the collector what one of its cycles takes.
func (r *Result) tells(f casefile.Figure) bool {
	if slices.ContainsFunc(r.Also, func(a lab.Reported) bool { return a.Figure == f.Name }) {
		return true
	}
	switch f.Name {
	case prove.P50, prove.P90, prove.P99, prove.CPUPerRequest, prove.Stream, prove.WriteRate, prove.WrittenPer:
		return true
	case prove.ErrorShare:
		return f.Key || f.Before.Value > 0
	case prove.GCCycle, prove.GCPause:
		k := r.key()
		return f.Key || k != nil && k.Name == prove.GCCPU
	}
	return f.Key
}
