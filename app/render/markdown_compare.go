package render

import (
	"bytes"
	"fmt"

	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/internal/words"
)

// markdownComparison is a table of what changed since the base, below what was compared with what.
func markdownComparison(b *bytes.Buffer, c *difference.Difference) {
	b.WriteString("| evidence | base | now |\n|---|---|---|\n")
	for _, p := range c.Against {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(p.Kind), orNone(escape(p.Base)), orNone(escape(p.Now)))
	}
	b.WriteString("\n")
	if c.Relation != "" {
		fmt.Fprintf(b, "%s\n\n", escape(c.Relation))
	}
	markdownMeasured(b, c)
	if len(c.Changes) == 0 {
		return
	}
	b.WriteString("| | score | finding | where | |\n|---|---|---|---|---|\n")
	for i := range c.Changes {
		ch := &c.Changes[i]
		f := ch.Finding()
		where := ""
		if len(f.Where) > 0 {
			where = words.Symbol(f.Where[0].Function)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", ch.State, scores(ch), escape(f.Title), cell(where),
			escape(ch.Said()))
	}
	b.WriteString("\n")
}

// markdownMeasured is a table of what the process has and spends, and of the places that moved.
func markdownMeasured(b *bytes.Buffer, c *difference.Difference) {
	if len(c.Totals) == 0 {
		return
	}
	b.WriteString("| | base → now |\n|---|---|\n")
	for i := range c.Totals {
		fmt.Fprintf(b, "| %s | %s |\n", c.Totals[i].Name, escape(c.Totals[i].Text()))
	}
	for i := range c.Places {
		p := &c.Places[i]
		fmt.Fprintf(b, "| %s: %s | %s |\n", p.State, cell(p.Name()), escape(p.Text()))
	}
	b.WriteString("\n")
}

// scores returns the score then and now.
func scores(c *difference.Change) string {
	switch {
	case c.Base == nil:
		return fmt.Sprintf("– → %d", c.Now.Score)
	case c.Now == nil:
		return fmt.Sprintf("%d → –", c.Base.Score)
	}
	return fmt.Sprintf("%d → %d", c.Base.Score, c.Now.Score)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
