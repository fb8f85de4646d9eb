package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// printComparison prints what was compared with what, a line for every change, and what is new or worse, as
// Printer.Finding does.
func printComparison(w io.Writer, c diagnose.Comparison, more string) {
	p := terminal.New(w)
	for _, b := range c.Against {
		if b.Base == b.Now {
			p.Text("base and now  ", b.Kind+": "+b.Now)
			continue
		}
		p.Text("base  ", b.Kind+": "+orNone(b.Base))
		p.Text("now   ", b.Kind+": "+orNone(b.Now))
	}
	fmt.Fprintln(w)
	if len(c.Changes) == 0 {
		p.Text("", "No findings, then or now.")
	}
	for i := range c.Changes {
		printChange(p, &c.Changes[i])
	}
	printed := false
	for _, ch := range c.Changes {
		if ch.State == diagnose.StateNew || ch.State == diagnose.StateWorse {
			fmt.Fprintln(w)
			p.Finding(*ch.Now, more)
			printed = true
		}
	}
	if printed {
		p.More(more)
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// printChange prints one: "WORSE    50 → 62  encoding/json takes CPU", and below it the place and the shares.
func printChange(p *terminal.Printer, c *diagnose.Change) {
	f := c.Finding()
	then, now := "–", "–"
	if c.Base != nil {
		then = fmt.Sprint(c.Base.Score)
	}
	if c.Now != nil {
		now = fmt.Sprint(c.Now.Score)
	}
	head := fmt.Sprintf("%-8s", strings.ToUpper(c.State))
	p.Text(paintState(p, c.State, head)+fmt.Sprintf(" %3s → %-3s ", then, now), f.Title)
	const indent = "         " // names of functions are long
	if len(f.Where) > 0 {
		p.Text(indent, f.Kind+"  "+f.Where[0].Function)
	} else {
		p.Text(indent, f.Kind)
	}
	if s := shares(c); s != "" {
		p.Text(indent, s)
	}
	if c.Note != "" {
		p.Text(indent, c.Note)
	}
}

// shares says how the cost changed: "cpu 20 % → 31 %"; "" if it cannot be compared or did not change.
func shares(c *diagnose.Change) string {
	if c.Base == nil || c.Now == nil || c.Share == 0 {
		return ""
	}
	format := vitals.Share.Format
	return fmt.Sprintf("%s %s → %s", c.Now.Impact.Resource, format(c.Base.Impact.Share), format(c.Now.Impact.Share))
}

// paintState colours a state by what it means.
func paintState(p *terminal.Printer, state, s string) string {
	switch state {
	case diagnose.StateNew, diagnose.StateWorse:
		return p.Paint(casefile.Critical, s)
	case diagnose.StateBetter, diagnose.StateGone:
		return p.Paint(terminal.Good, s)
	}
	return s
}
