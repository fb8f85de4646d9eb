package prove

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/vitals"
)

// A Layout says how Format writes.
type Layout struct {
	Width  int  // columns; 0 means 80, and below 60 the table keeps 60
	Colour bool // ANSI colours on the verdicts
}

// Columns of the table: their widths, and the gap between them. The last takes what its words need.
const (
	nameWidth   = 17
	valueWidth  = 18
	changeWidth = 10
	minWidth    = 60
)

// ANSI codes of the verdicts.
const (
	green = "\x1b[32m"
	red   = "\x1b[31m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

// Format writes a proof as a table for a terminal: figure, before, after, change, verdict; the key figure is marked
// with *. The values are medians of the rounds, ± the wider half of their interval. Notes and the summary follow.
func Format(w io.Writer, p casefile.Proof, l Layout) error {
	p = plain.Copy(p) // an imported case may say anything
	if l.Width == 0 {
		l.Width = 80
	}
	l.Width = max(l.Width, minWidth)
	f := &formatter{out: bufio.NewWriter(w), layout: l}
	if inPairs(p) {
		f.pairs(p)
		f.reasons(p.Figures)
		f.moved(p.Moved)
		f.floor(p.Figures)
	} else {
		f.table(p)
		f.reasons(p.Figures)
	}
	f.paragraph("verdict: ", string(p.Verdict)+". "+p.Summary)
	if p.Promise != "" {
		f.paragraph("promise: ", p.Promise)
	}
	if p.Similarity != nil {
		f.paragraph("similarity: ", p.Similarity.Text)
	}
	if p.Load != "" {
		f.paragraph("load: ", p.Load)
	}
	f.paragraph("method: ", p.Method)
	if err := f.out.Flush(); err != nil {
		return fmt.Errorf("writing the proof: %w", err)
	}
	return nil
}

// A formatter writes a proof. Errors of out are kept by it and come out of Flush.
type formatter struct {
	out    *bufio.Writer
	layout Layout
}

func (f *formatter) table(p casefile.Proof) {
	f.row("figure", heading("before", p.Before.Label), heading("after", p.After.Label), "change", "verdict", "")
	for _, fig := range p.Figures {
		name := fig.Name
		if fig.Key {
			name += " *"
		}
		moved := "–"
		if fig.Before.N > 0 && fig.After.N > 0 {
			moved = number.Change(fig.Before.Value, fig.After.Value)
		}
		f.row(name, cell(fig.Before, fig.Unit), cell(fig.After, fig.Unit), moved, string(fig.Verdict),
			colourOf(fig.Verdict))
	}
	f.out.WriteByte('\n')
}

// heading returns the title of a side's column, with as much of its label as fits.
func heading(side, label string) string {
	if label == "" {
		return side
	}
	text := side + ": " + label
	if utf8.RuneCountInString(text) > valueWidth {
		text = string([]rune(text)[:valueWidth-1]) + "…"
	}
	return text
}

// cell returns one side of a figure: "41.2 ms ±8 %".
func cell(s casefile.Stat, unit string) string {
	if s.N == 0 {
		return "–"
	}
	text := vitals.Unit(unit).Format(s.Value)
	half := max(s.High-s.Value, s.Value-s.Low)
	if half <= 0 || s.Value == 0 {
		return text
	}
	return text + " ±" + number.Percent(half/math.Abs(s.Value))
}

func colourOf(v casefile.Verdict) string {
	switch v {
	case casefile.Better:
		return green
	case casefile.Worse:
		return red
	case casefile.CannotTell:
		return dim
	}
	return ""
}

// row writes one line: the first column to the left, the numbers to the right, the verdict to the left, in its colour.
func (f *formatter) row(name, before, after, moved, verdict, colour string) {
	f.out.WriteString(padRight(name, nameWidth))
	f.out.WriteString(padLeft(before, valueWidth))
	f.out.WriteString(padLeft(after, valueWidth))
	f.out.WriteString(padLeft(moved, changeWidth))
	f.out.WriteString("  ")
	if f.layout.Colour && colour != "" {
		verdict = colour + verdict + reset
	}
	f.out.WriteString(verdict)
	f.out.WriteByte('\n')
}

// paragraph writes text wrapped to the width; lines after the first are indented.
func (f *formatter) paragraph(lead, text string) {
	line := lead
	for _, word := range phrases(text) {
		space := " "
		if strings.HasSuffix(line, " ") {
			space = ""
		}
		if utf8.RuneCountInString(line+space+word) > f.layout.Width {
			f.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, space = "  ", ""
		}
		line += space + word
	}
	f.out.WriteString(line + "\n")
}

// phrases returns the words of a text; a number stays with the word after it, which is its unit more often than not.
func phrases(text string) []string {
	var out []string
	glue := false
	for word := range strings.FieldsSeq(text) {
		if glue {
			out[len(out)-1] += " " + word
		} else {
			out = append(out, word)
		}
		last := word[len(word)-1]
		glue = !glue && '0' <= last && last <= '9'
	}
	return out
}

// padRight fills s with spaces on its right to n columns.
func padRight(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

// padLeft fills s with spaces on its left to n columns, one at least.
func padLeft(s string, n int) string {
	return strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 1)) + s
}
