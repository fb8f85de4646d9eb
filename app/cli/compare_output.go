package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/terminal"
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

func (o *compareOutput) write(out io.Writer, res *assess.Compared) error {
	if o.html != "" {
		if err := o.page(res); err != nil {
			return err
		}
	}
	switch {
	case o.json:
		return writeJSON(out, res)
	case res.Diagnosed != nil:
		return o.withFindings(out, res)
	}
	return o.report(out, res.Report)
}

func (o *compareOutput) report(out io.Writer, r *compare.Report) error {
	if o.markdown {
		return compare.Markdown(out, r)
	}
	p := terminal.New(out)
	return compare.Text(out, r, compare.Layout{Width: p.Width, Colour: p.Color})
}

// withFindings prints findings as diagnose does, and the proofs' report below.
func (o *compareOutput) withFindings(out io.Writer, res *assess.Compared) error {
	form := outputFlags{markdown: o.markdown}
	if err := form.write(out, io.Discard, res.Diagnosed); err != nil || res.Report == nil {
		return err
	}
	fmt.Fprintln(out)
	return o.report(out, res.Report)
}

// page writes the result as one page.
func (o *compareOutput) page(res *assess.Compared) error {
	c, err := res.Page()
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	c.Commands = append(c.Commands, report.Command{What: "Compare again", Line: thisCommand()})
	return writeComparison(o.html, c)
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
