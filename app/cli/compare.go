package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/compare"
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
  profiles and cases      CPU, memory and goroutines in all, functions that came or
                          grew, findings that are new, worse, better or gone

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
	r := assess.CompareRequest{Inputs: args, Stdin: cmd.InOrStdin(), Options: f.opt}
	end := watchProgress(&r.Evidence, cmd.ErrOrStderr())
	res, err := assess.Compare(cmd.Context(), r)
	end()
	if err != nil {
		return err
	}
	if err := f.output.write(cmd.OutOrStdout(), res); err != nil {
		return err
	}
	if res.Worse() {
		return command.ErrFindings
	}
	return nil
}
