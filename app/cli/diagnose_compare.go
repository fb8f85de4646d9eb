package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// printComparison prints what was compared with what, a line for every change, and what is new or worse, as
// Printer.Finding does.
func printComparison(w io.Writer, c *difference.Difference, more string) {
	p := terminal.New(w)
	printChanges(p, c)
	printed := false
	for i := range c.Changes {
		if ch := &c.Changes[i]; ch.Pressing() {
			fmt.Fprintln(w)
			p.Finding(ch.Finding(), more)
			printed = true
		}
	}
	if printed {
		p.More(more)
	}
}

// printChanges prints what was compared with what, what differs in all, and a line for every change.
func printChanges(p *terminal.Printer, c *difference.Difference) {
	for _, b := range c.Against {
		if b.Base == b.Now {
			p.Text("base and now  ", b.Kind+": "+b.Now)
			continue
		}
		p.Text("base  ", b.Kind+": "+orNone(b.Base))
		p.Text("now   ", b.Kind+": "+orNone(b.Now))
	}
	if c.Relation != "" {
		p.Text("", c.Relation)
	}
	printMeasured(p, c)
	fmt.Fprintln(p.W)
	if len(c.Changes) == 0 {
		p.Text("", "No findings, then or now.")
	}
	for i := range c.Changes {
		printChange(p, &c.Changes[i])
	}
}

// printMeasured prints what the process has and spends in all, and the places that moved.
func printMeasured(p *terminal.Printer, c *difference.Difference) {
	if len(c.Totals) > 0 {
		fmt.Fprintln(p.W)
	}
	for i := range c.Totals {
		p.Text(fmt.Sprintf("%-15s", c.Totals[i].Name), c.Totals[i].Text())
	}
	for i := range c.Places {
		x := &c.Places[i]
		p.Text(fmt.Sprintf("%-6s", x.State), x.Name()+": "+x.Text())
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// printChange prints one: "WORSE    50 → 62  encoding/json takes CPU", and below it the place and the shares.
func printChange(p *terminal.Printer, c *difference.Change) {
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
	for _, text := range []string{c.Text(), c.Note} {
		if text != "" {
			p.Text(indent, text)
		}
	}
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
