package render

import (
	"bytes"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// markdownOpinions writes what others say of the case.
func markdownOpinions(b *bytes.Buffer, all []casefile.Opinion) {
	if len(all) == 0 {
		return
	}
	b.WriteString("## Opinions\n\nOthers say this of the case. Each was checked, and changes no finding.\n\n")
	for _, o := range all {
		markdownOpinion(b, words.OfOpinion(o))
	}
}

func markdownOpinion(b *bytes.Buffer, o words.Opinion) {
	fmt.Fprintf(b, "### %s %s, by %s\n\n%s\n\n", escape(o.ID), o.Judged, escape(o.By), escape(o.Cause))
	for _, at := range o.Places {
		fmt.Fprintf(b, "- %s\n", code(at))
	}
	if len(o.Places) > 0 {
		b.WriteString("\n")
	}
	for _, part := range [...]struct{ name, text string }{{"Change", o.Change}, {"Gain, as the author says", o.Gain},
		{"Proof", o.Proven}} {
		if part.text != "" {
			fmt.Fprintf(b, "**%s:** %s\n\n", part.name, escape(part.text))
		}
	}
	for _, why := range o.Why {
		fmt.Fprintf(b, "- Check: %s\n", escape(why))
	}
	if len(o.Why) > 0 {
		b.WriteString("\n")
	}
	markdownDiff(b, o.Lines)
}

// markdownDiff writes indented code, which has no end that a line of it could write. After a list it would belong to
// that: the word before it ends the list.
func markdownDiff(b *bytes.Buffer, lines []words.DiffLine) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("**Diff:**\n\n")
	for _, l := range lines {
		fmt.Fprintln(b, "    "+l.Text)
	}
	b.WriteString("\n")
}
