package compare

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
)

// Markdown writes a report as tables for a pull request or a ticket.
func Markdown(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "**%s**\n\n", render.Escape(r.Summary()))
	shown := make(map[string]string)
	for i := range r.Tables {
		markdownTable(out, &r.Tables[i], shown)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "- warning: %s\n", render.Escape(w))
	}
	fmt.Fprintf(out, "\n<sub>%s</sub>\n", render.Escape(r.Method))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

func markdownTable(out *bufio.Writer, t *Table, shown map[string]string) {
	if title := t.title(shown); title != "" {
		fmt.Fprintf(out, "%s\n\n", render.Escape(title))
	}
	old, latest := t.columns()
	fmt.Fprintf(out, "| | %s | %s | change | p | verdict |\n|---|--:|--:|--:|--:|---|\n", render.Escape(old),
		render.Escape(latest))
	for i := range t.Rows {
		row := &t.Rows[i]
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", render.Escape(row.Name), render.Escape(row.Old.value()),
			render.Escape(row.New.value()), render.Escape(row.changeText()), row.pText(), mark(row.Verdict))
	}
	if g := t.Geomean; g != nil {
		fmt.Fprintf(out, "| geomean | %s | %s | %s | | |\n", g.oldText, g.newText, render.Escape(g.changeText()))
	}
	out.WriteByte('\n')
	for _, n := range t.notes() {
		fmt.Fprintf(out, "- %s\n", render.Escape(n.of(len(t.Rows))+n.text))
	}
	if len(t.notes()) > 0 {
		out.WriteByte('\n')
	}
}

// mark highlights a verdict that somebody should look at.
func mark(v casefile.Verdict) string {
	switch v {
	case casefile.Better, casefile.Worse:
		return "**" + verdictText(v) + "**"
	}
	return verdictText(v)
}
