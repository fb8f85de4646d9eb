package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// printComparison prints what was compared with what, a line for every change, and what is new or worse in full.
func printComparison(w io.Writer, c diagnose.Comparison) {
	p := newPrinter(w)
	for _, b := range c.Against {
		if b.Base == b.Now {
			p.text("base and now  ", b.Kind+": "+b.Now)
			continue
		}
		p.text("base  ", b.Kind+": "+orNone(b.Base))
		p.text("now   ", b.Kind+": "+orNone(b.Now))
	}
	fmt.Fprintln(w)
	if len(c.Changes) == 0 {
		p.text("", "Nothing found that is worth changing, then or now.")
	}
	for i := range c.Changes {
		p.change(&c.Changes[i])
	}
	for _, ch := range c.Changes {
		if ch.State == diagnose.StateNew || ch.State == diagnose.StateWorse {
			fmt.Fprintln(w)
			p.finding(*ch.Now)
		}
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// change prints one: "WORSE    50 → 62  encoding/json takes CPU", and below it the place and the shares.
func (p *printer) change(c *diagnose.Change) {
	f := c.Finding()
	then, now := "–", "–"
	if c.Base != nil {
		then = fmt.Sprint(c.Base.Score)
	}
	if c.Now != nil {
		now = fmt.Sprint(c.Now.Score)
	}
	head := fmt.Sprintf("%-8s", strings.ToUpper(c.State))
	p.text(p.paintState(c.State, head)+fmt.Sprintf(" %3s → %-3s ", then, now), f.Title)
	const indent = "         " // names of functions are long
	if len(f.Where) > 0 {
		p.text(indent, f.Kind+"  "+f.Where[0].Function)
	} else {
		p.text(indent, f.Kind)
	}
	if s := shares(c); s != "" {
		p.text(indent, s)
	}
	if c.Note != "" {
		p.text(indent, c.Note)
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
func (p *printer) paintState(state, s string) string {
	switch state {
	case diagnose.StateNew, diagnose.StateWorse:
		return p.paint(casefile.Critical, s)
	case diagnose.StateBetter, diagnose.StateGone:
		return p.paint(good, s)
	}
	return s
}

// A comparedJSON is what `diagnose --json` prints with a base.
type comparedJSON struct {
	diagnosisJSON
	Comparison *diagnose.Comparison `json:"comparison,omitempty"`
}

func writeDiagnosed(w io.Writer, d *diagnosed) error {
	return writeJSON(w, comparedJSON{newDiagnosisJSON(d.report.Diagnosis), d.comparison})
}
