package history

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/internal/number"
)

// value writes a figure in its unit.
func value(v float64, unit string) string {
	text := benchunit.Scale(v, benchunit.ClassOf(unit))
	if rest, ok := strings.CutPrefix(unit, "sec"); ok {
		return text + "s" + rest
	}
	return text + " " + unit
}

// short is the beginning of a commit's hash, as people write it.
func short(commit string) string { return commit[:min(len(commit), 8)] }

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Headline is "time +10.4 % since 2026-10-03".
func (p *ChangePoint) Headline() string {
	return fmt.Sprintf("%s %s since %s", p.Figure, number.Change(p.Before, p.After), day(p.Time))
}

// Numbers are what it rests on.
func (p *ChangePoint) Numbers() string {
	text := value(p.Before, p.Unit) + " → " + value(p.After, p.Unit) + ", " + number.Things(p.Records, "record")
	if p.P > 0 {
		text += ", " + number.P(p.P)
	}
	return text
}

// Place says between which commits it is.
func (p *ChangePoint) Place() string {
	text := fmt.Sprintf("after %s, up to %s", short(p.From), short(p.To))
	if p.Commits >= 0 {
		text += " (" + number.Things(p.Commits, "commit") + ")"
	}
	if p.From != p.Last || p.To != p.Commit {
		text += fmt.Sprintf(", most likely in %s", short(p.Commit))
	}
	return text
}

// Reasons are a line each: which functions moved, and who touched them.
func (p *ChangePoint) Reasons() (out []string) {
	for _, m := range p.Functions {
		out = append(out, fmt.Sprintf("because %s: %s → %s", m.Function, value(m.Before, p.Unit), value(m.After, p.Unit)))
		out = append(out, commitLines("touched by ", m.Commits)...)
	}
	if len(p.Functions) == 0 {
		out = append(out, "no function stands out in the profiles of both sides")
	}
	return append(append(out, commitLines("one of ", p.Candidate)...), p.Notes...)
}

func commitLines(begin string, commits []revision.Commit) (out []string) {
	for _, c := range commits {
		out = append(out, "  "+begin+c.ID+" "+c.Subject)
	}
	return out
}

// Summary is the report in a sentence.
func (r *Report) Summary() string {
	if r.Records == 0 {
		return "no records yet: casebook history record makes one"
	}
	worse := 0
	for _, c := range r.Changes {
		if c.Worse {
			worse++
		}
	}
	text := fmt.Sprintf("%s (%d worse) in %d series, %s from %s to %s", number.Things(len(r.Changes), "change"), worse,
		len(r.Series), number.Things(r.Records, "record"), day(r.From), day(r.To))
	if r.Short > 0 {
		text += fmt.Sprintf("; %d series have fewer than %d records, too few to judge", r.Short, 2*minSegment)
	}
	return text
}

// maxRows bounds the changes in Markdown: a comment holds 65,536 characters.
const maxRows = 50

// Markdown writes the report for an issue or a step's summary.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Casebook history: %s\n\n", render.Escape(r.Summary()))
	for i := range r.Changes[:min(len(r.Changes), maxRows)] {
		c := &r.Changes[i]
		name := render.Escape(c.Benchmark)
		if c.Worse {
			name = "**worse** " + name
		}
		fmt.Fprintf(&b, "- %s: %s\n  - %s, on %s\n  - %s\n", name, render.Escape(c.Headline()), render.Escape(c.Numbers()),
			render.Escape(c.Machine), render.Escape(c.Place()))
		for _, reason := range c.Reasons() {
			indent := len(reason) - len(strings.TrimLeft(reason, " "))
			fmt.Fprintf(&b, "  %*s- %s\n", indent, "", render.Escape(strings.TrimSpace(reason)))
		}
	}
	if n := len(r.Changes) - maxRows; n > 0 {
		fmt.Fprintf(&b, "\n%d more changes were left out.\n", n)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "- %s\n", render.Escape(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
