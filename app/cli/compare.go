package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
)

// compareFlags are the flags of `casebook compare`.
type compareFlags struct {
	output compareOutput
	opt    compare.Options
	margin share
	alpha  float64
}

func compareCommand() *cobra.Command {
	f := compareFlags{margin: compare.DefaultMargin, alpha: compare.DefaultAlpha}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Say what differs between two measurements",
		Long: `Compare says for every figure whether it is better, worse or the same, or that
it cannot tell, and why. It detects the kind of the inputs from their content:

  go test -bench output   medians, intervals, p-values, geomeans, as benchstat;
                          allocs/op and B/op that do not vary are judged exactly
  casebook load --out     latencies, throughput and errors over the windows
  casebook prove          the "after" sides of the proofs
  profiles and cases      findings that are new, worse, better or gone

An input may be label=FILE, and one may be - for standard input. For benchmarks,
--col can name something other than the file, and then one input is enough. With
more than two benchmark inputs, each is compared with the first.

Exit codes: 0 nothing is worse, 1 something is worse, 2 wrong usage, or an input
could not be read.`,
		Example: `  go test -run '^$' -bench . -benchmem -count 10 > new.txt
  casebook compare old.txt new.txt
  casebook compare --col /format bench.txt
  casebook compare before.json after.json
  casebook compare --html out.html healthy.zip incident.zip
  casebook compare --markdown old.txt new.txt >> $GITHUB_STEP_SUMMARY`,
		Args: command.NeedArgs("two inputs, the old one first", "casebook compare old.txt new.txt"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	command.Group(cmd, "Judging", func(flags *pflag.FlagSet) {
		flags.Var(&f.margin, "margin", "ignore a `change` smaller than this")
		flags.Float64Var(&f.alpha, "alpha", f.alpha, "significance level of the tests")
	})
	command.Group(cmd, "Benchmarks, as in benchstat", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.opt.Filter, "filter", "", "use only results that match this `query`")
		flags.StringVar(&f.opt.Table, "table", "", "print a table for each value of these `keys` (default .config)")
		flags.StringVar(&f.opt.Row, "row", "", "print a row for each value of these `keys` (default .fullname)")
		flags.StringVar(&f.opt.Col, "col", "", "compare across the values of these `keys` (default .file)")
		flags.StringVar(&f.opt.Ignore, "ignore", "", "`keys` that may differ")
	})
	command.Group(cmd, "Output", f.output.add)
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.output.check(); err != nil {
		return err
	}
	f.opt.Margin, f.opt.Alpha = float64(f.margin), f.alpha
	if len(args) < 2 && f.opt.Col == "" {
		return fmt.Errorf("only one input, %s: name the other too, or say with --col what to compare within it",
			args[0])
	}
	inputs, err := readCompared(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	res, err := f.compare(cmd, inputs)
	if err != nil {
		return err
	}
	if err := f.output.write(cmd.OutOrStdout(), res); err != nil {
		return err
	}
	if res.worse() {
		return command.ErrFindings
	}
	return nil
}

// compare does what the kind of the inputs asks for.
func (f *compareFlags) compare(cmd *cobra.Command, in []comparedInput) (*comparedResult, error) {
	var res comparedResult
	var err error
	switch in[0].kind {
	case compare.Benchmarks:
		var inputs []compare.Input
		for _, i := range in {
			inputs = append(inputs, compare.Input{Label: i.label, Data: bytes.NewReader(i.data)})
		}
		res.report, err = compare.OfBenchmarks(inputs, f.opt)
	case compare.Load:
		res.loads, res.report, err = f.load(in[0], in[1])
	case compare.Proof:
		res.proofs, res.report, err = f.proofs(in[0], in[1])
	default:
		return f.evidence(cmd, in[0], in[1])
	}
	return &res, err
}

func (f *compareFlags) load(a, b comparedInput) (*comparedLoads, *compare.Report, error) {
	var files [2]*load.File
	for i, in := range []comparedInput{a, b} {
		var err error
		if files[i], err = load.Read(bytes.NewReader(in.data)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	r, err := compare.OfLoad(a.label, files[0], b.label, files[1], f.opt)
	return &comparedLoads{a, b, files, f.opt}, r, err
}

// printEvidence compares findings, as diagnose --base does, and the proofs if both cases have one.
func (f *compareFlags) evidence(cmd *cobra.Command, a, b comparedInput) (*comparedResult, error) {
	if a.path == "-" || b.path == "-" {
		return nil, errors.New("compare reads evidence only from files; " +
			"casebook diagnose --base OLD - reads it from standard input")
	}
	d := diagnoseFlags{base: []string{a.path}}
	found, err := d.diagnose(cmd, []string{b.path})
	if err != nil {
		return nil, err
	}
	if len(found.failed) > 0 || found.comparison == nil {
		return nil, errors.Join(append(found.failed, errors.New("nothing was compared"))...)
	}
	res := &comparedResult{diagnosed: found, old: a.label, latest: b.label}
	if p, q := proofOfCase(a.path), proofOfCase(b.path); p != nil && q != nil {
		res.report, err = compare.OfProofs(a.label, p, b.label, q, f.opt)
	}
	return res, err
}

// proofOfCase returns the proof in a case's folder; nil if there is none.
func proofOfCase(path string) *casefile.Proof {
	if !casework.IsCase(path) {
		return nil
	}
	f, err := casefile.Open(path)
	if err != nil { // diagnose has said so
		return nil
	}
	return f.Case.Proof
}
