package gate

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/render"
)

// Text writes a result for a terminal or a CI log: what failed with its reasons first, then the rest a line each.
func Text(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	for _, j := range r.sorted() {
		pkg, name := splitSubject(j.Subject)
		switch j.Outcome {
		case Pass:
			fmt.Fprintf(out, "pass  %s  %s\n", name, j.headline())
			continue
		case Fail:
			fmt.Fprintf(out, "FAIL  %s  %s\n", name, j.headline())
		default:
			fmt.Fprintf(out, "????  %s  %s\n", name, j.headline())
		}
		fmt.Fprintf(out, "      %s\n      %s\n", pkg, j.numbers())
		for _, b := range j.Because {
			fmt.Fprintf(out, "      because %s\n", render.Plain(b.text(j.Unit)))
		}
		if j.Reason != "" {
			fmt.Fprintf(out, "      %s\n", render.Plain(j.Reason))
		}
	}
	for _, p := range r.Identical {
		fmt.Fprintf(out, "pass  %s  the same binary\n", p)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "note  %s\n", render.Plain(n))
	}
	fmt.Fprintf(out, "\n%s\nbase: %s\nhead: %s\n", r.Summary(), render.Plain(r.Base), render.Plain(r.Head))
	if n := r.noiseText(); n != "" {
		fmt.Fprintf(out, "noise floor: %s\n", n)
	}
	fmt.Fprintf(out, "%s\n", r.Method)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the gate's result: %w", err)
	}
	return nil
}
