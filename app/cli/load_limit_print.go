package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/gocasebook/casebook/app/load/limit"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// writeLimit prints the search as JSON, and writes it to a file, if asked to.
func writeLimit(out *loadOutput, l limitJSON) error {
	if out.file != "" {
		b, err := json.MarshalIndent(l, "", " ")
		if err == nil {
			err = os.WriteFile(out.file, append(b, '\n'), 0o600)
		}
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if out.json {
		return writeJSON(out.stdout, l)
	}
	return nil
}

// limitFound says what was found.
func limitFound(cfg limit.Config, r limit.Report) string {
	var b strings.Builder
	switch {
	case r.Best > 0:
		fmt.Fprintf(&b, "The highest rate that meets it is %s a second, confirmed over %v.",
			number.Digits(r.Best), 2*cfg.Step)
	default:
		b.WriteString("No rate was found that meets it.")
	}
	if r.Best > 0 && r.Fails > 0 {
		fmt.Fprintf(&b, " %s a second does not; what lies between (%s) was not tried.",
			number.Digits(r.Fails), vitals.Share.Format(r.Fails/r.Best-1))
	}
	if r.Why != "" {
		fmt.Fprintf(&b, " The search ended because: %s.", r.Why)
	}
	b.WriteString(limitedSteps(r))
	return b.String()
}

// limitedSteps says what the * in the table means: for the rate that fails, if it has one, because there it may be the
// reason.
func limitedSteps(r limit.Report) string {
	at := -1
	for i, s := range r.Steps {
		if s.Figures.Limited == "" {
			continue
		}
		if s.Rate == r.Fails {
			return fmt.Sprintf(" At %s a second (*) the generator may have been the limit, not the target: %s.",
				number.Digits(s.Rate), s.Figures.Limited)
		}
		if at < 0 {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	return fmt.Sprintf(" The generator limited the figures of steps with a *, at %s a second because %s.",
		number.Digits(r.Steps[at].Rate), r.Steps[at].Figures.Limited)
}

func limitHead(p *terminal.Printer, o limit.Objective) {
	row := fmt.Sprintf("  %10s", "rate")
	for _, c := range o {
		row += fmt.Sprintf("  %9s", c.Name)
	}
	fmt.Fprintln(p.W, row)
}

// limitRow is a step as a row of the table.
func limitRow(p *terminal.Printer, o limit.Objective, s limit.Step) {
	row := fmt.Sprintf("  %10s", number.Digits(s.Rate)+"/s")
	for i, c := range o {
		row += fmt.Sprintf("  %9s", c.Format(s.Values[i]))
	}
	verdict := "meets it"
	if !s.Kept {
		verdict = "does not"
	}
	switch s.Phase {
	case limit.Again:
		verdict += ", tried again"
	case limit.Confirm:
		verdict += ", confirming"
	}
	if s.Figures.Limited != "" {
		verdict += " *"
	}
	fmt.Fprintln(p.W, row+"  "+verdict)
}
