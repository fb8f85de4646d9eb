package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/words"
)

// Markdown writes a diagnosis for a ticket. Every text in it shows as it is, whatever it holds.
func Markdown(w io.Writer, d Document) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Casebook: %s\n\n", headline(d))
	if d.Comparison != nil {
		markdownComparison(&b, d.Comparison)
	} else {
		markdownRead(&b, d.Read)
	}
	markdownVerdict(&b, d.Diagnosis)
	markdownPicture(&b, d.Diagnosis.Picture)
	for _, f := range d.Diagnosis.Findings {
		markdownFinding(&b, f)
	}
	markdownOpinions(&b, d.Opinions)
	markdownUndecided(&b, d.Diagnosis.Undecided)
	if _, err := w.Write(bytes.TrimRight(b.Bytes(), "\n")); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// headline returns the document's title: how many findings, and the first.
func headline(d Document) string {
	switch fs := d.Diagnosis.Findings; len(fs) {
	case 0:
		if text := d.Diagnosis.Unexplained(); text != "" {
			return "undecided: " + escape(text)
		}
		if p := d.Diagnosis.Picture; p != nil && len(p.Tripped) > 0 {
			return "no fault is known behind " + escape(p.Tripped[0].Text)
		}
		return "nothing found that is worth changing"
	case 1:
		return escape(fs[0].Title)
	default:
		return fmt.Sprintf("%d findings, first: %s", len(fs), escape(fs[0].Title))
	}
}

func markdownRead(b *bytes.Buffer, read []diagnose.Artefact) {
	if len(read) == 0 {
		return
	}
	b.WriteString("| evidence | |\n|---|---|\n")
	for _, a := range read {
		fmt.Fprintf(b, "| %s | %s |\n", cell(a.Name), escape(a.Said()+after("; ", a.Note)))
	}
	b.WriteString("\n")
}

func markdownVerdict(b *bytes.Buffer, d casefile.Diagnosis) {
	if d.Verdict == nil {
		return
	}
	fmt.Fprintf(b, "**%s**\n\n", escape(d.Verdict.Text))
	if d.Verdict.Settle != "" {
		fmt.Fprintf(b, "What settles it: %s\n\n", code(d.Verdict.Settle))
	}
	for _, c := range d.Causes {
		markdownCause(b, c)
	}
}

// markdownCause writes a chain of two links or more.
func markdownCause(b *bytes.Buffer, c casefile.Cause) {
	if len(c.Links) < 2 {
		return
	}
	for i, l := range c.Links {
		fmt.Fprintf(b, "%d. %s%s\n", i+1, escape(l.Text), after(": ", escape(l.Why)))
	}
	b.WriteString("\n")
}

func markdownPicture(b *bytes.Buffer, p *casefile.Picture) {
	lines := p.Lines()
	if p != nil && p.Memory != nil {
		lines = append(lines, casefile.NamedPictureLine{Name: "memory",
			PictureLine: &casefile.PictureLine{Text: p.Memory.Text}})
	}
	if len(lines) == 0 {
		return
	}
	b.WriteString("| now | |\n|---|---|\n")
	for _, l := range lines {
		fmt.Fprintf(b, "| %s | %s |\n", l.Name, escape(l.Text))
	}
	b.WriteString("\n")
}

func markdownFinding(b *bytes.Buffer, f casefile.Finding) {
	t := words.Of(f)
	fmt.Fprintf(b, "## %s: %s\n\n%s\n\n", t.Head, escape(t.Title), escape(t.Summary))
	markdownPlaces(b, t.Where)
	for _, said := range t.Said {
		fmt.Fprintf(b, "**Source** %s\n\n", escape(said))
	}
	if len(t.By) > 0 {
		fmt.Fprintf(b, "**Held:** %s\n\n", escape(strings.Join(t.By, "; ")))
	}
	if t.Cost != "" {
		fmt.Fprintf(b, "**Cost:** %s\n\n", escape(t.Cost))
	}
	if t.Gain != "" {
		fmt.Fprintf(b, "**Expected gain:** %s\n\n", escape(t.Gain+after(": ", t.How)))
	}
	if t.Explanation != "" {
		b.WriteString(escape(t.Explanation) + "\n\n")
	}
	for i, r := range t.Remedies {
		fmt.Fprintf(b, "%d. **%s.**%s", i+1, escape(r.Title), after(" ", escape(r.Text)))
		if r.Price != "" {
			b.WriteString(" *Price:* " + escape(r.Price))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	var basis []string
	for _, e := range t.Basis {
		basis = append(basis, code(e.File)+": "+escape(e.Text))
	}
	if len(basis) > 0 {
		fmt.Fprintf(b, "Based on %s.\n", strings.Join(basis, "; "))
	}
	if t.Order != "" {
		fmt.Fprintf(b, "Order: %s.\n", escape(t.Order))
	}
	fmt.Fprintf(b, "%s %s, %s.\n\n", escape(t.ID), code(t.Kind), escape(t.Sure))
}

func markdownPlaces(b *bytes.Buffer, where []casefile.Frame) {
	if len(where) == 0 {
		return
	}
	b.WriteString("| where | line | share |\n|---|---|---|\n")
	for _, w := range where {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(words.Symbol(w.Function)), cell(words.Line(w)), escape(words.Part(w)))
	}
	b.WriteString("\n")
	markdownSource(b, where[0])
}

// markdownSource writes the lines around a place. Indented code has no end that a line of it could write.
func markdownSource(b *bytes.Buffer, at casefile.Frame) {
	lines := words.Source(at)
	for _, l := range lines {
		mark := " "
		if l.Here {
			mark = ">"
		}
		fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("    %s %4d  %s", mark, l.Number, l.Text), " "))
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
}

// markdownUndecided has no reasons: a ticket asks what to capture next.
func markdownUndecided(b *bytes.Buffer, us []casefile.Undecided) {
	if len(us) == 0 {
		return
	}
	b.WriteString("## Not judged, for lack of evidence\n\n")
	for _, o := range words.Undecided(us) {
		kinds := o.Kinds()
		for i, k := range kinds {
			kinds[i] = code(k)
		}
		fmt.Fprintf(b, "- %s%s\n", strings.Join(kinds, ", "), after(". Next: ", code(o.Next)))
	}
}

// after returns text behind a separator, or nothing.
func after(sep, text string) string {
	if text == "" {
		return ""
	}
	return sep + text
}

// helpMarkdown returns a detector's documentation.
func helpMarkdown(d diagnose.Detector) string {
	var b strings.Builder
	b.WriteString(paragraphs(d.Text))
	for i, r := range Remedies(d) {
		if i == 0 {
			b.WriteString("\n\nWhat to do, in this order:\n")
		}
		fmt.Fprintf(&b, "\n%d. **%s**%s.%s *Price:* %s", i+1, escape(r.Title), escape(r.When()),
			after(" ", escape(r.Text)), escape(r.Price))
	}
	for _, c := range []struct{ title, code string }{{"Before", d.Before}, {"After", d.After}} {
		if c.code != "" {
			fmt.Fprintf(&b, "\n\n%s:\n\n```go\n%s\n```", c.title, strings.TrimSpace(c.code))
		}
	}
	return b.String()
}

// paragraphs joins the lines of each paragraph of a detector's text.
func paragraphs(text string) string {
	var out []string
	for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		out = append(out, strings.Join(strings.Fields(p), " "))
	}
	return strings.Join(out, "\n\n")
}
