package prove

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// Columns of the table of a proof that was measured in pairs.
const (
	pairValueWidth = 9
	pairRangeWidth = 16
	pairNoiseWidth = 7
)

func inPairs(p casefile.Proof) bool {
	for _, f := range p.Figures {
		if f.Effect != nil {
			return true
		}
	}
	return false
}

// pairs writes the table: figure, both sides, the change with its interval, the noise floor, the verdict.
func (f *formatter) pairs(p casefile.Proof) {
	f.paragraph("A  ", p.Before.Label)
	f.paragraph("B  ", p.After.Label)
	f.out.WriteByte('\n')
	f.pairRow([]string{"figure", "A", "B", "change", "95 % interval", "A/A"}, "verdict", "")
	for _, fig := range p.Figures {
		name, u := fig.Name, vitals.Unit(fig.Unit)
		if u == vitals.Cores {
			name += " (cores)" // which no column of values has room for
		}
		if fig.Key {
			name += " *"
		}
		cells := []string{name, "–", "–", "–", "–", "–"}
		if fig.Before.N > 0 {
			cells[1] = u.Format(fig.Before.Value)
		}
		if fig.After.N > 0 {
			cells[2] = u.Format(fig.After.Value)
		}
		if e := fig.Effect; e != nil {
			cells[3] = ChangeText(fig)
			cells[4] = strings.TrimSuffix(signedChange(e.Low, e, u), " pp") + "…" + signedChange(e.High, e, u)
			cells[5] = size(e.Noise, e, u)
		}
		for i, c := range cells[1:] {
			cells[i+1] = strings.NewReplacer(" cores", "", " core", "").Replace(c)
		}
		f.pairRow(cells, string(fig.Verdict), colourOf(fig.Verdict))
	}
	f.out.WriteByte('\n')
}

// floor says what the column A/A is, and what it is of the key figure.
func (f *formatter) floor(figs []casefile.Figure) {
	text := "A/A is how much A differed from itself in the same blocks"
	for _, fig := range figs {
		if e := fig.Effect; e != nil && fig.Key {
			u := vitals.Unit(fig.Unit)
			text += fmt.Sprintf(", for %s %s", fig.Name, size(e.Noise, e, u))
			if half := (e.High - e.Low) / 2; !math.IsInf(half, 0) {
				text += fmt.Sprintf("; its change is known to ±%s", size(half, e, u))
			}
		}
	}
	f.paragraph("noise floor: ", text+".")
}

// size returns a change without its sign.
func size(v float64, e *casefile.Effect, u vitals.Unit) string {
	if e.Absolute {
		return amount(v, u)
	}
	return number.Percent(v)
}

// signedChange returns a change relative to the side before, or in the figure's unit.
func signedChange(v float64, e *casefile.Effect, u vitals.Unit) string {
	if e.Absolute {
		return signed(v, u)
	}
	return number.Change(1, 1+v)
}

func (f *formatter) pairRow(cells []string, verdict, colour string) {
	widths := [...]int{0, pairValueWidth, pairValueWidth, changeWidth - 1, pairRangeWidth, pairNoiseWidth}
	line := padRight(cells[0], nameWidth)
	for i, c := range cells[1:] {
		line += padLeft(c, widths[i+1])
	}
	f.out.WriteString(line + "  ")
	if f.layout.Colour && colour != "" {
		verdict = colour + verdict + reset
	}
	f.out.WriteString(verdict + "\n")
}

// reasons writes why figures have no verdict; figures with the same reason are grouped.
func (f *formatter) reasons(figs []casefile.Figure) {
	var order []string
	names := make(map[string][]string)
	for _, fig := range figs {
		if fig.Note == "" {
			continue
		}
		if names[fig.Note] == nil {
			order = append(order, fig.Note)
		}
		names[fig.Note] = append(names[fig.Note], fig.Name)
	}
	for _, note := range order {
		f.paragraph(strings.Join(names[note], ", ")+": ", note)
	}
	if len(order) > 0 {
		f.out.WriteByte('\n')
	}
}

// moved writes the functions whose CPU changed.
func (f *formatter) moved(functions []casefile.Moved) {
	if len(functions) == 0 {
		return
	}
	f.out.WriteString("where CPU per request changed\n")
	for _, m := range functions {
		u := vitals.Seconds
		text := fmt.Sprintf("  %9s  %9s → %-9s  ", signed(m.After-m.Before, u), u.Format(m.Before), u.Format(m.After))
		name := words.Function(m.Function) // the file below shows which package it is
		f.out.WriteString(text + tailOf(name, f.layout.Width-utf8.RuneCountInString(text)) + "\n")
		if m.File != "" {
			f.out.WriteString("             " + tailOf(fmt.Sprintf("%s:%d", m.File, m.Line), f.layout.Width-13) + "\n")
		}
	}
	f.out.WriteByte('\n')
}

// tailOf returns the end of a text that fits into n columns.
func tailOf(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return "…" + string(r[len(r)-n+1:])
	}
	return text
}
