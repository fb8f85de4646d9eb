package play

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// width is how many columns of a terminal the table takes.
const width = 80

// columns of the terminal's table: row, finding, cured, key figure, ratio.
var columns = [...]int{22, 23, 6, 22, 6}

// WriteText prints the report for a terminal of 80 columns: a line a row, and below what does not hold.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	line(&b, "row", "finding, sick", "cured", "cure", "ratio")
	for i := range r.Rows {
		row := &r.Rows[i]
		worst := "–"
		if l := loud(row.Cured); len(l) > 0 {
			worst = fmt.Sprint(l[0].Score)
		}
		mark := "+ "
		switch {
		case row.Limited():
			mark = "~ "
		case !row.Holds():
			mark = "! "
		}
		line(&b, mark+row.Name(), top(row.Findings), worst, row.keyText(), row.ratioText())
	}
	b.WriteString("\ncured: the worst finding of 50 or more. ratio: gain measured over gain promised.\n")
	for i := range r.Rows {
		if row := &r.Rows[i]; !row.Holds() {
			paragraph(&b, "! "+row.Name()+": ", row.stateText())
		}
	}
	for _, t := range r.Tables {
		b.WriteString("\n")
		if err := t.WriteText(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line writes the cells of a row, cut to their columns.
func line(b *strings.Builder, cells ...string) {
	var l strings.Builder
	for i, c := range cells {
		l.WriteString(fit(c, columns[i]))
	}
	b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
}

// fit cuts or fills s to n columns, of which the last is a space.
func fit(s string, n int) string {
	if utf8.RuneCountInString(s) > n-1 {
		s = string([]rune(s)[:n-2]) + "…"
	}
	return s + strings.Repeat(" ", n-utf8.RuneCountInString(s))
}

// paragraph writes text wrapped to the width, with the lines after the first indented.
func paragraph(b *strings.Builder, lead, text string) {
	used := utf8.RuneCountInString(lead)
	b.WriteString(lead)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if i > 0 && used+1+n > width {
			b.WriteString("\n  ")
			used = 2
		} else if i > 0 {
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteString("\n")
}

// WriteText prints what became of one row, when it has been played.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	paragraph(&b, "  sick     ", list(r.Findings)+" ("+r.openedText()+")")
	if len(r.Findings) > 0 && r.Findings[0].Function != "" {
		fmt.Fprintf(&b, "           %s\n", r.Findings[0].Function)
	}
	if r.Fixed != nil {
		paragraph(&b, "  fixed    ", r.Fixed.text())
	}
	paragraph(&b, "  cured    ", "of 50 or more: "+list(loud(r.Cured)))
	if r.Proof != nil {
		paragraph(&b, "  measured ", r.Proof.Summary)
	}
	if r.Below != nil {
		paragraph(&b, "  below    ", r.Below.text())
	}
	if r.Capacity != nil {
		paragraph(&b, "  capacity ", r.Capacity.text())
	}
	if r.Goroutines.notable() {
		paragraph(&b, "  goroutines ", fmt.Sprintf("%.0f sick, %.0f cured", r.Goroutines.Sick, r.Goroutines.Cured))
	}
	if r.Cycles != nil {
		paragraph(&b, "  collector ", r.Cycles.text())
	}
	for _, l := range r.Loads {
		paragraph(&b, "  load     ", l.text())
	}
	if r.Article != "" {
		paragraph(&b, "  article  ", r.Article)
	}
	if text := r.beside(); text != "" {
		paragraph(&b, "  beside   ", text)
	}
	paragraph(&b, "  promise  ", r.promiseText())
	paragraph(&b, "  result   ", r.stateText())
	_, err := io.WriteString(w, b.String())
	return err
}
