package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// printAsked prints an answer, and what asking cost.
func printAsked(w io.Writer, res *assess.Asked) {
	p := terminal.New(w)
	p.Opinion(&res.Opinion)
	fmt.Fprintln(w)
	for i, r := range res.Rounds {
		label := "Asked    "
		if i > 0 {
			label = "Again    "
		}
		p.Text(label, askedRoundText(&r))
	}
	if res.Case == "" {
		p.Text("Kept     ", "nowhere")
	} else {
		p.Text("Kept     ", fmt.Sprintf("as %s of case %s, by %s; sent and came: %s", res.Opinion.ID, res.Case,
			res.Opinion.Author, strings.Join(res.Files, ", ")))
	}
}

func askedRoundText(r *assess.Round) string {
	text := fmt.Sprintf("%s sent, %s came in %.1f s", number.Bytes(float64(r.Sent)), number.Bytes(float64(r.Came)),
		r.Seconds)
	if r.In > 0 {
		text += fmt.Sprintf(" (%s and %s tokens)", number.Count(float64(r.In)), number.Count(float64(r.Out)))
	}
	if r.Cut != "" {
		text += "; " + r.Cut
	}
	if r.Verdict == "" {
		return text + ": no answer in it that can be checked"
	}
	return text + ": " + r.Verdict
}

// printAgreements says who names which place.
func printAgreements(w io.Writer, all []assess.Agreement) {
	p := terminal.New(w)
	for i := range all {
		label := "Places   "
		if i > 0 {
			label = "         "
		}
		at := &all[i]
		text := placeOf(at.Place) + ": " + strings.Join(at.Agents, ", ")
		var verdicts []string
		for _, v := range []string{casefile.Supported, casefile.Unsupported, casefile.Contradicted} {
			if n := at.Checks[v]; n > 0 {
				verdicts = append(verdicts, fmt.Sprintf("%d %s", n, v))
			}
		}
		p.Text(label, text+" ("+strings.Join(verdicts, ", ")+")")
	}
}

// placeOf is a place as people write it.
func placeOf(at casefile.At) string {
	line := at.File
	if at.File != "" && at.Line > 0 {
		line = fmt.Sprintf("%s:%d", at.File, at.Line)
	}
	switch {
	case at.Function == "":
		return line
	case line == "":
		return at.Function
	}
	return at.Function + " (" + line + ")"
}
