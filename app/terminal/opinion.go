package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// Opinions prints what others say of a case, in short when more names the command that prints all of it, and otherwise
// in full. Without opinions it prints nothing.
func Opinions(w io.Writer, all []casefile.Opinion, more string) {
	if len(all) == 0 {
		return
	}
	p := New(w)
	fmt.Fprintln(w)
	p.Text("", "Opinions: others say this of the case. Each was checked, and changes no finding.")
	for _, o := range all {
		fmt.Fprintln(w)
		p.opinion(words.OfOpinion(o), more)
	}
}

// shortText is how much of a text of an opinion its short form has, in lines.
const shortText = 3

func (p *Printer) opinion(o words.Opinion, more string) {
	full := more == ""
	head := Clip(render.Plain(o.ID), 12) + " " + strings.ToUpper(o.Judged)
	p.Text(p.Paint(signOf(o.Judged), head)+"  ", Clip("by "+o.By, 4*p.Width))
	for i, at := range o.Where {
		if i > 0 && !full {
			break
		}
		p.at(label("where", i), at)
	}
	p.said("cause", o.Cause, full)
	p.said("change", o.Change, full)
	if o.Gain != "" {
		p.said("gain", o.Gain+", as the author says", full)
	}
	for i, why := range o.Why {
		if i > 0 && !full {
			break
		}
		p.Text(label("check", i), clipped(why, full, p.Width))
	}
	if len(o.Rests) > 0 && full {
		p.said("rests", strings.Join(o.Rests, ", "), full)
	}
	p.said("proof", o.Proven, full)
	if n := len(o.Lines); n > 0 {
		p.diff(o.Lines, number.Things(n, "line"), more)
	}
}

// at prints a place that somebody named; either part may be missing.
func (p *Printer) at(label string, at casefile.At) {
	f := casefile.Frame{Function: Clip(at.Function, 4*p.Width), File: at.File, Line: at.Line}
	if f.Function != "" {
		p.place(label, f)
		return
	}
	p.Text(label, shorten(words.Line(f), p.Width-Visible(label)))
}

func (p *Printer) said(name, text string, full bool) {
	if text != "" {
		p.Text(label(name, 0), clipped(text, full, p.Width))
	}
}

func clipped(text string, full bool, width int) string {
	if full {
		return text
	}
	return Clip(text, shortText*(width-len(label("", 0))))
}

// diff prints a diff, and in short how long it is.
func (p *Printer) diff(lines []words.DiffLine, length, more string) {
	if more != "" {
		p.Text(label("diff", 0), length+": "+more)
		return
	}
	p.Text(label("diff", 0), length)
	for _, l := range lines {
		fmt.Fprintln(p.W, strings.TrimRight("    "+l.Text, " "))
	}
}

// signOf is the colour of a check's verdict.
func signOf(judged string) string {
	switch judged {
	case casefile.Supported:
		return Good
	case casefile.Contradicted:
		return casefile.Critical
	}
	return casefile.Warning
}
