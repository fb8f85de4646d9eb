package words

import (
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

// A SourceLine is a line of a program as people read it beside a finding.
type SourceLine struct {
	Number int
	Text   string // without the indentation that all of them have, tabs as four spaces, and nothing unprintable
	Here   bool   // it is the line that the finding names
}

// Source is the lines around a place that were read for it; none where no source was at hand.
func Source(f casefile.Frame) []SourceLine {
	if f.Source == nil {
		return nil
	}
	out := make([]SourceLine, 0, len(f.Source.Lines))
	indent := math.MaxInt
	for i, text := range f.Source.Lines {
		text = strings.TrimRight(plain.Text(strings.ReplaceAll(text, "\t", "    ")), " ")
		if text != "" {
			indent = min(indent, len(text)-len(strings.TrimLeft(text, " ")))
		}
		out = append(out, SourceLine{f.Source.First + i, text, f.Source.First+i == f.Line})
	}
	for i := range out {
		out[i].Text = out[i].Text[min(indent, len(out[i].Text)):]
	}
	return out
}
