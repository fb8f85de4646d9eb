package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/gate"
)

type gateFlags struct {
	config gate.Config
	limits string
	proof  string
	output gateOutput
}

// gateOutput is where a result goes beside standard output.
type gateOutput struct {
	json, quiet     bool
	junit, markdown string
}

func gateCommand() *cobra.Command {
	var f gateFlags
	cmd := &cobra.Command{
		Use:   "gate {--against REVISION [PACKAGE…] | --proof DIR}",
		Short: "Fail a change whose benchmarks are slower than its limits allow",
		Long: `Gate builds the benchmarks of two revisions, runs fresh processes of both in
turns, and fails when a figure is beyond its limit. What seems to be is measured
again, more often, and judged by that alone: noise fails nobody. A failure names
the functions that changed, from profiles of both sides.

Limits are FIGURE:+N% (it may rise by so much) or FIGURE:-N% (fall): of time,
bytes, allocs, throughput, or a unit that the benchmarks report. Figures that do
not vary, such as allocs, are judged by their value.

A service is judged by what casebook prove --out DIR measured: --proof DIR, with
limits on its figures, such as p99:+5%,cpu_per_request:+3%.

Packages whose test binaries are the same on both sides pass unmeasured. The
revision to judge is the files as they lie here, or --head.

Exit codes: 0 all within the limits, 1 a figure is beyond its limit, 2 wrong
usage or failure, 3 a figure seems to be beyond but the noise hides it, 130
interrupted.`,
		Example: `  casebook gate --against main --fail-on 'time:+5%,allocs:+0%'
  casebook gate --against HEAD~1 --bench Encode --benchtime 20ms ./codec
  casebook gate --against origin/main --junit gate.xml --markdown gate.md
  casebook gate --proof proof --fail-on 'p99:+5%,cpu_per_request:+3%'`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	group(cmd, "What to measure", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Against, "against", "", "the `revision` to compare with, such as main")
		flags.StringVar(&f.config.Head, "head", "", "the `revision` to judge (default: the files as they lie here)")
		flags.StringVar(&f.config.Bench, "bench", ".", "run benchmarks that match this `pattern`, as go test -bench")
		flags.StringVar(&f.config.Benchtime, "benchtime", "5ms", "how `long` a run takes, as go test -benchtime")
		flags.IntVar(&f.config.Runs, "runs", 20, "`runs` in each process, of which the fastest counts")
		flags.StringVar(&f.proof, "proof", "", "judge this `folder` or proof.json of casebook prove --out instead")
		flags.StringVar(&f.config.Dir, "C", "", "run in this `folder`")
	})
	group(cmd, "Judging", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.limits, "fail-on", "time:+5%,allocs:+1%", "the `limits`, with commas between")
		flags.IntVar(&f.config.Rounds, "rounds", 6, "`pairs` of runs of everything")
		flags.IntVar(&f.config.Confirm, "confirm", 14, "`pairs` of runs of what seems to be beyond its limit")
	})
	group(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.output.json, "json", false, "print JSON")
		flags.BoolVarP(&f.output.quiet, "quiet", "q", false, "no progress")
		flags.StringVar(&f.output.junit, "junit", "", "write JUnit's XML to this `file`")
		flags.StringVar(&f.output.markdown, "markdown", "", "write Markdown, for a comment on a pull request, to this `file`")
	})
	return cmd
}

func (f *gateFlags) run(cmd *cobra.Command, args []string) error {
	if (f.config.Against == "") == (f.proof == "") {
		return errors.New("gate: want either --against, the revision to compare with, for instance --against main; or --proof")
	}
	var err error
	if f.config.Limits, err = gate.ParseLimits(f.limits); err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	f.config.Packages = args
	if !f.output.quiet {
		f.config.Progress = cmd.ErrOrStderr()
	}
	res, err := f.judge(cmd.Context())
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(cmd.ErrOrStderr(), "interrupted; nothing was judged and nothing is left behind")
		return exitError(exitInterrupted)
	case err != nil:
		return err
	}
	if err := f.output.write(cmd.OutOrStdout(), res); err != nil {
		return err
	}
	switch res.Outcome {
	case gate.Fail:
		return errFindings
	case gate.CannotTell:
		return exitError(exitCannotTell)
	}
	return nil
}

// judge measures benchmarks, or judges a proof that is there.
func (f *gateFlags) judge(ctx context.Context) (*gate.Result, error) {
	if f.proof == "" {
		return gate.Run(ctx, f.config)
	}
	file := f.proof
	if exists(filepath.Join(file, proofName)) {
		file = filepath.Join(file, proofName)
	}
	r, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--proof: %w", err)
	}
	defer r.Close() // it was only read
	p, err := gate.ReadProof(r)
	if err != nil {
		return nil, fmt.Errorf("--proof %s: %w", file, err)
	}
	return gate.JudgeProof(p, f.config.Limits)
}

// proofName is the file in which casebook prove --out keeps a proof.
const proofName = "proof.json"

func (o *gateOutput) write(out io.Writer, res *gate.Result) error {
	for _, form := range []struct {
		flag, file string
		write      func(io.Writer, *gate.Result) error
	}{{"--junit", o.junit, gate.JUnit}, {"--markdown", o.markdown, gate.Markdown}} {
		if form.file == "" {
			continue
		}
		var b bytes.Buffer
		err := form.write(&b, res)
		if err == nil {
			err = os.WriteFile(form.file, b.Bytes(), 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", form.flag, err)
		}
	}
	if o.json {
		return writeJSON(out, res)
	}
	return gate.Text(out, res)
}
