package terminal

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/app/escape"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// Escape prints why lines allocate, on 80 columns.
func (p *Printer) Escape(r *escape.Report) {
	e := escapes{p, r}
	p.Text("", e.summary())
	for i := range r.Lines {
		e.line(&r.Lines[i])
	}
	if r.More.Lines > 0 {
		fmt.Fprintln(p.W)
		p.Text("", fmt.Sprintf("%s more with %s of the bytes.", number.Things(r.More.Lines, "line"),
			number.Share(r.More.Share)))
	}
	e.functions()
	e.bounds()
	e.gaps()
}

type escapes struct {
	*Printer
	r *escape.Report
}

func (e *escapes) summary() string {
	r := e.r
	text := fmt.Sprintf("Allocated: %s in %s objects", number.Bytes(r.Bytes), number.Count(r.Objects))
	if r.Seconds > 0 {
		text += " in " + number.Seconds(r.Seconds)
	} else {
		text += " since the process began"
	}
	if r.Samples < fewSamples {
		text += fmt.Sprintf(", known from only %s: small shares are chance", number.Things(math.Round(r.Samples), "sample"))
	}
	x := r.Explained
	text += fmt.Sprintf(". Of the bytes %s are explained: %s by the compiler, %s by what the line does, %s by the "+
		"runtime's function.", number.Share(x.Share), number.Share(x.Compiler), number.Share(x.Syntax),
		number.Share(x.Runtime))
	if x.Ambiguous > 0.0005 {
		text += fmt.Sprintf(" For %s the line has more than one thing that it may be.", number.Share(x.Ambiguous))
	}
	if r.GC > 0 {
		text += fmt.Sprintf(" The collector takes %s of the CPU, and runs as often as bytes are allocated: a line is "+
			"charged by its share of them.", number.Share(r.GC))
	}
	return text
}

// fewSamples is below how many sampled allocations a share of some percent says little.
const fewSamples = 100

// The labels stand in columns as wide as the share of a line.
const (
	labelPlace  = "%8s  "
	labelSource = "          "
	labelWhy    = "     why  "
	labelChange = "  change  "
)

func (e *escapes) line(l *escape.Line) {
	fmt.Fprintln(e.W)
	e.Text(fmt.Sprintf(labelPlace, number.Share(l.Share)), fmt.Sprintf("%s %s:%d", words.Function(l.Function),
		words.Base(l.File), l.Number))
	cost := fmt.Sprintf("%s in %s objects", number.Bytes(l.Bytes), number.Count(l.Objects))
	if e.r.Seconds > 0 {
		cost = fmt.Sprintf("%s/s in %s objects/s", number.Bytes(l.Bytes), number.Count(l.Objects))
	}
	if l.GC >= 0.0005 {
		cost += fmt.Sprintf("; %s of the CPU for collecting it", number.Share(l.GC))
	}
	e.Text(labelSource, cost)
	if l.Foreign {
		e.Text(labelSource, "no code of the named packages is on its stacks")
	}
	e.source(l.Text)
	for i := range l.Reasons {
		e.reason(l, &l.Reasons[i])
		if c := l.Reasons[i].Change; c != "" && (i == len(l.Reasons)-1 || l.Reasons[i+1].Change != c) {
			e.Text(labelChange, c)
		}
	}
	if l.Left > 0 {
		e.Text(labelSource, number.Things(l.Left, "smaller reason")+" beside")
	}
}

func (e *escapes) reason(l *escape.Line, r *escape.Reason) {
	var b strings.Builder
	if len(l.Reasons) > 1 {
		fmt.Fprintf(&b, "%s: ", number.Share(r.Share))
	}
	if r.Via != "" {
		fmt.Fprintf(&b, "%s allocates", words.Function(r.Via))
		if r.In != r.Via && r.In != "" {
			fmt.Fprintf(&b, " in %s", words.Function(r.In))
		}
		fmt.Fprintf(&b, " (%s): ", r.At.Short())
	}
	if r.What == "" {
		b.WriteString("it")
	}
	fmt.Fprintf(&b, "%s %s", r.What, r.Why)
	if len(r.Also) > 0 {
		fmt.Fprintf(&b, "; or it is %s", strings.Join(r.Also, ", or "))
	}
	e.Text(labelWhy, b.String()+".")
}

func (e *escapes) change(text string) {
	if text != "" {
		e.Text(labelChange, text)
	}
}

// source prints a line of source, cut to one line.
func (e *escapes) source(text string) {
	if text == "" {
		return
	}
	r := []rune(render.Plain(text))
	if n := room(e.Width, labelSource) - 2; len(r) > n {
		r = append(r[:n-1], '…')
	}
	fmt.Fprintln(e.W, labelSource+"| "+string(r))
}

func (e *escapes) functions() {
	if len(e.r.NotInline) == 0 {
		return
	}
	fmt.Fprintf(e.W, "\nNot inlined, with the CPU that they take by themselves:\n")
	for _, f := range e.r.NotInline {
		e.Text(fmt.Sprintf(labelPlace, number.Share(f.Own)), fmt.Sprintf("%s %s:%d: %s", words.Function(f.Function),
			words.Base(f.File), f.Line, f.Why))
		e.change(f.Change)
	}
}

func (e *escapes) bounds() {
	if len(e.r.Bounds) == 0 {
		return
	}
	fmt.Fprintf(e.W, "\nBounds are checked in loops, with the CPU that the line takes by itself:\n")
	for _, b := range e.r.Bounds {
		e.Text(fmt.Sprintf(labelPlace, number.Share(b.Own)), fmt.Sprintf("%s %s:%d: %s", words.Function(b.Function),
			words.Base(b.File), b.Line, number.Things(b.Checks, "check")))
		e.source(b.Text)
		e.change(b.Change)
	}
}

func (e *escapes) gaps() {
	r := e.r
	for _, left := range []struct {
		share float64
		why   string
	}{
		{r.Explained.Skipped, "they are spread over packages with little each, which were not compiled"},
		{r.Explained.NotBuilt, "their packages do not build"},
		{r.Explained.NoSource, "their source is not in this module, its dependencies or the standard library"},
		{r.Explained.Stale, "the source here is not what the profile is of: check out the revision that ran"},
		{r.Explained.Nothing, "nothing on their lines is known to allocate"},
	} {
		if left.share >= 0.0005 {
			fmt.Fprintln(e.W)
			e.Text("", fmt.Sprintf("Not explained, %s of the bytes: %s.", number.Share(left.share), left.why))
		}
	}
	if len(r.Gaps) > 0 {
		fmt.Fprintf(e.W, "\nLeft out:\n")
	}
	for _, g := range r.Gaps {
		e.Text("  ", g.What+": "+g.Why)
	}
}
