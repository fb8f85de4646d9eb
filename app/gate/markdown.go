package gate

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/render"
)

// maxMarkdownRows bounds the table of figures that passed: a comment on a pull request holds 65,536 characters.
const maxMarkdownRows = 50

// Markdown writes a result for a comment on a pull request or a step's summary.
func Markdown(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "### Casebook gate: %s\n\n", render.Escape(r.Summary()))
	fmt.Fprintf(out, "%s against %s\n\n", render.Escape(r.Head), render.Escape(r.Base))
	js := r.sorted()
	if len(js) > 0 {
		out.WriteString("| | measured | figure | base | head | change | limit |\n|---|---|---|--:|--:|--:|--:|\n")
	}
	for i, j := range js {
		if i == maxMarkdownRows {
			fmt.Fprintf(out, "\n%d more rows were left out.\n", len(js)-i)
			break
		}
		_, name := splitSubject(j.Subject)
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s |\n", markdownOutcome(j.Outcome), render.Escape(name),
			render.Escape(j.Figure),
			render.Escape(value(j.Base, j.Unit)), render.Escape(value(j.Head, j.Unit)), render.Escape(j.move()),
			render.Escape(j.Limit.percent()))
	}
	out.WriteByte('\n')
	for _, j := range js {
		markdownReasons(out, &j)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "- %s\n", render.Escape(n))
	}
	if n := r.noiseText(); n != "" {
		fmt.Fprintf(out, "\nNoise floor: %s.\n", render.Escape(n))
	}
	fmt.Fprintf(out, "\n<sub>%s</sub>\n", render.Escape(r.Method))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the gate's Markdown: %w", err)
	}
	return nil
}

func markdownOutcome(o Outcome) string {
	switch o {
	case Fail:
		return "**FAIL**"
	case CannotTell:
		return "**?**"
	}
	return "pass"
}

// markdownReasons says why figures did not pass.
func markdownReasons(out *bufio.Writer, j *Judgement) {
	if j.Outcome == Pass {
		return
	}
	_, name := splitSubject(j.Subject)
	fmt.Fprintf(out, "- %s, %s: %s\n", render.Escape(name), render.Escape(j.Figure), render.Escape(j.numbers()))
	for _, b := range j.Because {
		fmt.Fprintf(out, "  - because %s\n", render.Escape(b.text(j.Unit)))
	}
	if j.Reason != "" {
		fmt.Fprintf(out, "  - %s\n", render.Escape(j.Reason))
	}
}
