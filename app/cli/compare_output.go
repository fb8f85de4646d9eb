package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/compare"
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
	loads       *comparedLoads // of two results of load: their page has more to show
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
	p := newPrinter(out)
	return compare.Text(out, r, compare.Layout{Width: p.width, Colour: p.color})
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

func (o *compareOutput) page(res *comparedResult) error {
	if res.loads != nil {
		return res.loads.page(o.html, res.report.Warnings)
	}
	var b bytes.Buffer
	var err error
	switch {
	case res.diagnosed == nil:
		err = compare.HTML(&b, res.report, nil)
	case res.report == nil:
		err = compare.HTML(&b, &compare.Report{Old: res.old, New: res.latest}, res.diagnosed.comparison)
	default:
		err = compare.HTML(&b, res.report, res.diagnosed.comparison)
	}
	if err == nil {
		err = os.WriteFile(o.html, b.Bytes(), 0o600)
	}
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// A share is a flag's value such as 1% or 0.01.
type share float64

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 4, 64) + "%" }
func (s *share) Type() string   { return "share" }

func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return fmt.Errorf("%q is no share: want one such as 1%% or 0.01", text)
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
