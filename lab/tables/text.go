package tables

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width is how many columns of a terminal a table may take.
const width = 80

// WriteText prints a table for a terminal of 80 columns.
func (t Table) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.Title)
	paragraph(&b, t.Text)
	widths := t.widths()
	t.line(&b, t.Columns, widths)
	for _, row := range t.Rows {
		t.line(&b, row, widths)
	}
	paragraph(&b, t.Said)
	paragraph(&b, t.Holds)
	paragraph(&b, t.Note)
	_, err := io.WriteString(w, b.String())
	return err
}

// widths are those of the columns: of the widest cell of each.
func (t Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// line writes one row: the first cell to the left, the figures to the right.
func (t Table) line(b *strings.Builder, row []string, widths []int) {
	for i, cell := range row {
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			b.WriteString("  " + cell + pad)
			continue
		}
		b.WriteString("  " + pad + cell)
	}
	b.WriteString("\n")
}

// paragraph writes text wrapped to the terminal.
func paragraph(b *strings.Builder, text string) {
	used := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > width {
			b.WriteString("\n")
			used = 0
		}
		if used > 0 {
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	if used > 0 {
		b.WriteString("\n")
	}
}
