package render

import (
	"bytes"
	"fmt"

	"github.com/gocasebook/casebook/diagnose"
)

// markdownComparison is a table of what changed since the base, below what was compared with what.
func markdownComparison(b *bytes.Buffer, c diagnose.Comparison) {
	b.WriteString("| evidence | base | now |\n|---|---|---|\n")
	for _, p := range c.Against {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(p.Kind), orNone(escape(p.Base)), orNone(escape(p.Now)))
	}
	b.WriteString("\n")
	if len(c.Changes) == 0 {
		return
	}
	b.WriteString("| | score | finding | where | |\n|---|---|---|---|---|\n")
	for _, ch := range c.Changes {
		f := ch.Finding()
		where := ""
		if len(f.Where) > 0 {
			where = f.Where[0].Function
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", ch.State, scores(ch), escape(f.Title), cell(where),
			escape(ch.Note))
	}
	b.WriteString("\n")
}

// scores returns the score then and now.
func scores(c diagnose.Change) string {
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
