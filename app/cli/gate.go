package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/gate"
)

type gateFlags struct {
	config  gate.Config
	limits  string
	proof   string
	service gateService
	output  gateOutput
}

func gateCommand() *cobra.Command {
	var f gateFlags
	cmd := &cobra.Command{
		Use: `gate --against REVISION [PACKAGE…]
  casebook gate --against REVISION --rate RATE COMMAND URL [PACKAGE…]
  casebook gate --proof DIR`,
		Short: "Fail a change that makes benchmarks or a service slower than its limits",
		Long: `Gate builds two revisions, measures fresh processes of both in turns, and fails
when a figure is beyond its limit. What seems to be is measured again, more
often, and judged by that alone: noise fails nobody. A failure names the
functions that changed, from profiles of both sides.

Without --rate it measures the benchmarks of the packages. With --rate it
measures a service: COMMAND begins with its Go package, such as
./cmd/server -addr 127.0.0.1:{port}, and URL is a path like /items. Packages
after the URL have their benchmarks measured, too.

Limits are FIGURE:+N% (it may rise by so much) or FIGURE:-N% (fall). Figures of
benchmarks are time, bytes, allocs, throughput, or a unit that they report; of a
service p50, p90, p99, p99.9, errors, throughput, cpu_per_request, gc_cpu,
allocs, alloc_bytes, rss, throttled. What does not vary is judged by its value.
A limit below the noise floor of this machine fails nobody, and is said to be.

What is the same on both sides, to the byte, passes unmeasured. The revision to
judge is the files as they lie here, or --head.

Exit codes: 0 all within the limits, 1 a figure is beyond its limit, 2 wrong
usage or failure, 3 the noise hides whether a figure is beyond its limit, 130
interrupted, with the results so far. How it decides: docs/gate.md.`,
		Example: `  casebook gate --against main --fail-on 'time:+5%,allocs:+0%'
  casebook gate --against HEAD~1 --bench Encode --benchtime 20ms ./codec
  casebook gate --against main --fail-on 'p99:+10%,cpu_per_request:+5%' \
    --rate 300 './cmd/server -addr 127.0.0.1:{port}' /items
  casebook gate --against origin/main --junit gate.xml --markdown gate.md
  casebook gate --proof proof --fail-on 'p99:+5%,cpu_per_request:+3%'`,
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	return cmd
}

func (f *gateFlags) add(cmd *cobra.Command) {
	group(cmd, "What to compare", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Against, "against", "", "the `revision` to compare with, such as main")
		flags.StringVar(&f.config.Head, "head", "", "the `revision` to judge (default: the files as they lie here)")
		flags.StringVar(&f.config.Dir, "C", "", "run in this `folder`")
		flags.StringVar(&f.proof, "proof", "", "judge this `folder` or proof.json of casebook prove --out instead")
	})
	group(cmd, "Judging", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.limits, "fail-on", "", "the `limits`, with commas between (default: time:+5%,allocs:+1% of benchmarks, cpu_per_request:+5%,allocs:+1% of a service)")
		flags.IntVar(&f.config.Rounds, "rounds", 6, "`rounds` of everything: pairs of runs, blocks of a service")
		flags.IntVar(&f.config.Confirm, "confirm", 14, "`rounds` of what seems to be beyond its limit")
	})
	group(cmd, "Benchmarks", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Bench, "bench", ".", "run benchmarks that match this `pattern`, as go test -bench")
		flags.StringVar(&f.config.Benchtime, "benchtime", "5ms", "how `long` a run takes, as go test -benchtime")
		flags.IntVar(&f.config.Runs, "runs", 20, "`runs` in each process, of which the fastest counts")
	})
	f.service.add(cmd)
	group(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.output.json, "json", false, "print JSON")
		flags.BoolVarP(&f.output.quiet, "quiet", "q", false, "no progress")
		flags.StringVar(&f.output.junit, "junit", "", "write JUnit's XML to this `file`")
		flags.StringVar(&f.output.markdown, "markdown", "", "write Markdown, for a comment on a pull request, to this `file`")
	})
}

// run measures and judges, tells what came of it, also when it was cut short, and turns it into the exit code.
func (f *gateFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.plan(cmd, args); err != nil {
		return err
	}
	res, err := f.judge(cmd.Context())
	if res != nil {
		if werr := f.output.write(cmd.OutOrStdout(), res); werr != nil {
			return errors.Join(err, werr)
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		tellInterrupted(cmd.ErrOrStderr(), err, res != nil)
		return exitError(exitInterrupted)
	case err != nil:
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

// tellInterrupted says what a result does not: that there is none, or what could not be stopped or removed.
func tellInterrupted(w io.Writer, err error, measured bool) {
	switch {
	case err.Error() != context.Canceled.Error():
		fmt.Fprintln(w, "casebook:", err)
	case !measured:
		fmt.Fprintln(w, "interrupted; nothing was measured and nothing is left behind")
	}
}

// plan settles what is measured and checks what can be checked before anything is built.
func (f *gateFlags) plan(cmd *cobra.Command, args []string) error {
	if (f.config.Against == "") == (f.proof == "") {
		return errors.New("gate: want either --against, the revision to compare with, for instance --against main; or --proof")
	}
	limits := f.limits
	if f.service.asked() {
		if f.proof != "" {
			return errors.New("gate: --proof has been measured: leave --rate out")
		}
		rest, err := f.service.plan(cmd, args, &f.config)
		if err != nil {
			return fmt.Errorf("gate: %w", err)
		}
		if args = rest; len(args) == 0 && cmd.Flags().Changed("bench") {
			args = []string{"./..."}
		}
	} else if err := notPackages(args); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	f.config.Packages = args
	if limits == "" {
		limits = f.defaultLimits()
	}
	var err error
	if f.config.Limits, err = gate.ParseLimits(limits); err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	if !f.output.quiet {
		f.config.Progress = cmd.ErrOrStderr()
	}
	return errors.Join(checkWritable("--junit", f.output.junit), checkWritable("--markdown", f.output.markdown))
}

// defaultLimits are what changes should rarely pass unseen on a machine that others use too.
func (f *gateFlags) defaultLimits() string {
	switch {
	case f.proof != "", f.config.Service != nil && len(f.config.Packages) == 0:
		return "cpu_per_request:+5%,allocs:+1%"
	case f.config.Service != nil:
		return "time:+5%,cpu_per_request:+5%,allocs:+1%"
	}
	return "time:+5%,allocs:+1%"
}

// judge measures, or judges a proof that is there.
func (f *gateFlags) judge(ctx context.Context) (*gate.Result, error) {
	if f.proof == "" {
		return gate.Run(ctx, f.config)
	}
	file := f.proof
	if exists(filepath.Join(file, proofName)) {
		file = filepath.Join(file, proofName)
	}
	r, err := openFile(file)
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
