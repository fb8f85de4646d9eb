package tables

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes a table as a section of a page, with a heading of the given level (2: "##").
func (t Table) WriteMarkdown(w io.Writer, level int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n%s\n\n", strings.Repeat("#", level), t.Title, t.Text)
	markdownRow(&b, t.Columns)
	b.WriteString("|---|" + strings.Repeat("---:|", len(t.Columns)-1) + "\n")
	for _, row := range t.Rows {
		markdownRow(&b, row)
	}
	for _, text := range []string{t.Said, t.Holds, t.Note} {
		if text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownRow writes cells; a bar in one would begin another.
func markdownRow(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, cell := range cells {
		b.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
	}
	b.WriteString("\n")
}
