package compare

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
)

// A Layout says how Text writes.
type Layout struct {
	Width  int  // columns; 0 means 80, and below 60 the table keeps what it needs
	Colour bool // ANSI colours on the verdicts
}

// Text writes a report for a terminal. A name that does not fit its row gets its own line.
func Text(w io.Writer, r *Report, l Layout) error {
	if l.Width == 0 {
		l.Width = 80
	}
	t := &text{out: bufio.NewWriter(w), layout: l}
	shown := make(map[string]string)
	for i := range r.Tables {
		t.table(&r.Tables[i], shown)
	}
	for _, w := range r.Warnings {
		t.wrapped("warning: ", w)
	}
	t.wrapped("", r.Summary())
	t.wrapped("method: ", r.Method)
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("writing the comparison: %w", err)
	}
	return nil
}

// A text is a report being written. Errors of out come out of Flush.
type text struct {
	out    *bufio.Writer
	layout Layout
}

// columns of a table: name, old, new, change, p, verdict. gap is the space between two.
const (
	columns = 6
	gap     = 2
)

type line struct {
	cells   [columns]string
	verdict casefile.Verdict
}

func (t *text) table(tab *Table, shown map[string]string) {
	if title := tab.title(shown); title != "" {
		t.wrapped("", title)
	}
	old, latest := tab.columns()
	lines := []line{{cells: [columns]string{"", old, latest, "change", "p", "verdict"}}}
	for i := range tab.Rows {
		row := &tab.Rows[i]
		lines = append(lines, line{[columns]string{render.Plain(row.Name), row.Old.value(), row.New.value(),
			row.changeText(), row.pText(),
			verdictText(row.Verdict)}, row.Verdict})
	}
	if g := tab.Geomean; g != nil {
		lines = append(lines, line{cells: [columns]string{"geomean", g.oldText, g.newText, g.changeText(), "", ""}})
	}
	width := widths(lines)
	for i := range lines {
		for col := 1; col <= 2; col++ { // labels are paths: they differ at their end
			lines[i].cells[col] = lastRunes(lines[i].cells[col], width[col])
		}
		t.line(lines[i], width)
	}
	for _, n := range tab.notes() {
		t.wrapped("  ", render.Plain(n.of(len(tab.Rows))+n.text))
	}
	t.out.WriteByte('\n')
}

// widths returns what the columns need, but the first: what the others leave. The labels of the sides do not widen
// their columns.
func widths(lines []line) [columns]int {
	var w [columns]int
	for i, l := range lines {
		for col, c := range l.cells {
			if i > 0 || col > 2 {
				w[col] = max(w[col], utf8.RuneCountInString(c))
			}
		}
	}
	return w
}

func (t *text) line(l line, width [columns]int) {
	others := 0
	for _, n := range width[1:] {
		others += n + gap
	}
	name, room := l.cells[0], min(width[0], max(t.layout.Width-others, 8))
	if utf8.RuneCountInString(name) > room {
		t.out.WriteString(name + "\n")
		name = ""
	}
	var b strings.Builder
	b.WriteString(pad(name, room))
	for col := 1; col < columns-1; col++ {
		b.WriteString(strings.Repeat(" ", gap+width[col]-utf8.RuneCountInString(l.cells[col])) + l.cells[col])
	}
	b.WriteString("  " + t.paint(l.verdict, l.cells[columns-1]))
	t.out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
}

// paint colours what matters: green for better, red for worse, dim for "cannot tell".
func (t *text) paint(v casefile.Verdict, s string) string {
	code := map[casefile.Verdict]string{casefile.Better: "32", casefile.Worse: "31", casefile.CannotTell: "2"}[v]
	if !t.layout.Colour || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// wrapped writes prose within the width; later lines are indented by two.
func (t *text) wrapped(lead, s string) {
	line, begun := lead, false
	for word := range strings.FieldsSeq(render.Plain(s)) {
		if begun && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > t.layout.Width {
			t.out.WriteString(line + "\n")
			line, begun = "  ", false
		}
		if begun {
			line += " "
		}
		line, begun = line+word, true
	}
	t.out.WriteString(line + "\n")
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

// lastRunes cuts a label at its front.
func lastRunes(s string, n int) string {
	s = render.Plain(s)
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[max(len(r)-n, 0):])
}
