package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

// compareOutput says in which form a comparison is written.
type compareOutput struct {
	json     bool
	markdown bool
	html     string
}

func (o *compareOutput) add(flags *pflag.FlagSet) {
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.BoolVar(&o.markdown, "markdown", false, "print Markdown, for a pull request")
	flags.StringVar(&o.html, "html", "", "write one page to this `file`")
}

func (o *compareOutput) check() error {
	if o.json && o.markdown {
		return errors.New("--json and --markdown both write to standard output; choose one")
	}
	return nil
}

// A comparedResult is what there is to print: a report, findings, or both.
type comparedResult struct {
	report      *compare.Report
	diagnosed   *diagnosed
	old, latest string
	loads       *comparedLoads  // two results of load: their page has more to show
	proofs      *comparedProofs // two proofs, likewise
}

func (r *comparedResult) worse() bool {
	return r.report != nil && r.report.Count(casefile.Worse) > 0 || r.diagnosed != nil && r.diagnosed.worst() >= warningScore
}

func (o *compareOutput) write(out io.Writer, res *comparedResult) error {
	if o.html != "" {
		if err := o.page(res); err != nil {
			return err
		}
	}
	if res.diagnosed != nil {
		return o.withFindings(out, res)
	}
	return o.report(out, res.report)
}

func (o *compareOutput) report(out io.Writer, r *compare.Report) error {
	switch {
	case o.json:
		return writeJSON(out, r)
	case o.markdown:
		return compare.Markdown(out, r)
	}
	p := terminal.New(out)
	return compare.Text(out, r, compare.Layout{Width: p.Width, Colour: p.Color})
}

// withFindings prints findings as diagnose does, and the proofs' report below.
func (o *compareOutput) withFindings(out io.Writer, res *comparedResult) error {
	if o.json {
		return writeJSON(out, struct {
			comparedJSON
			Proofs *compare.Report `json:"proofs,omitempty"`
		}{comparedJSON{newDiagnosisJSON(res.diagnosed.report.Diagnosis), res.diagnosed.comparison}, res.report})
	}
	form := outputFlags{markdown: o.markdown}
	if err := form.write(out, io.Discard, res.diagnosed); err != nil || res.report == nil {
		return err
	}
	fmt.Fprintln(out)
	return o.report(out, res.report)
}

// page writes the result as one page.
func (o *compareOutput) page(res *comparedResult) error {
	c, err := res.page()
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	c.Commands = append(c.Commands, report.Command{What: "Compare again", Line: thisCommand()})
	return writeComparison(o.html, c)
}

// page returns the page of what was compared.
func (r *comparedResult) page() (report.Comparison, error) {
	switch {
	case r.loads != nil:
		return r.loads.page(r.report.Warnings)
	case r.diagnosed != nil:
		c := compare.OfEvidence(r.old, r.latest, r.diagnosed.base, r.diagnosed.now, r.diagnosed.comparison)
		if r.report != nil { // both cases have a proof
			proofs := r.report.Page()
			c.Figures = append(proofs.Figures, c.Figures...)
			c.Method, c.Warnings = append(c.Method, proofs.Method...), append(c.Warnings, proofs.Warnings...)
		}
		return c, nil
	case r.proofs != nil:
		return r.proofs.page(r.report), nil
	}
	return r.report.Page(), nil
}

// A share is a flag's value such as 1% or 0.01.
type share float64

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 4, 64) + "%" }
func (s *share) Type() string   { return "share" }

func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return fmt.Errorf("%q is not a share: want one such as 1%% or 0.01", text)
	}
	if percent {
		v /= 100
	}
	if !(v > 0 && v < 1) {
		return fmt.Errorf("%q is out of range: want a share above 0%% and below 100%%", text)
	}
	*s = share(v)
	return nil
}
