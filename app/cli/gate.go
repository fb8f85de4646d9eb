package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
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
if a figure exceeds its limit. If a figure seems to exceed it, gate measures it
again, more often, and judges only the second measurement: noise does not fail a
change. A failure names the functions that changed, from profiles of both sides.

Without --rate it measures the benchmarks of the packages. With --rate it
measures a service: COMMAND starts with its Go package, such as
./cmd/server -addr 127.0.0.1:{port}, and URL is a path such as /items. If
packages follow the URL, it measures their benchmarks, too.

A limit is FIGURE:+N% (it may rise by that much) or FIGURE:-N% (it may fall).
Benchmarks have the figures time, bytes, allocs, throughput, and the units that
they report. A service has p50, p90, p99, p99.9, errors, throughput,
cpu_per_request, gc_cpu, allocs, alloc_bytes, rss, throttled. A figure that does
not vary is judged by its value. A limit below the noise floor of this machine
never fails a change, and gate says so.

Code that is identical on both sides, to the byte, passes without a measurement.
Gate judges the working tree, or the revision --head.

Exit codes: 0 all within the limits, 1 a figure exceeds its limit, 2 wrong usage
or failure, 3 too noisy to tell whether a figure exceeds its limit, 130
interrupted, with the results so far. docs/gate.md explains how it decides.`,
		Example: `  casebook gate --against main --fail-on 'time:+5%,allocs:+0%'
  casebook gate --against HEAD~1 --bench Encode --benchtime 20ms ./codec
  casebook gate --against main --fail-on 'p99:+10%,cpu_per_request:+5%' \
    --rate 300 './cmd/server -addr 127.0.0.1:{port}' /items
  casebook gate --against origin/main --junit gate.xml --sarif gate.sarif
  casebook gate --proof proof --fail-on 'p99:+5%,cpu_per_request:+3%'`,
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE:                  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	cmd.AddCommand(gateComment())
	return cmd
}

func (f *gateFlags) add(cmd *cobra.Command) {
	command.Group(cmd, "What to compare", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Against, "against", "", "the `revision` to compare with, such as main")
		flags.StringVar(&f.config.Head, "head", "", "the `revision` to judge (default: the working tree)")
		flags.StringVar(&f.config.Dir, "C", "", "run in this `folder`")
		flags.StringVar(&f.proof, "proof", "", "judge this `folder` or proof.json of casebook prove --out instead")
	})
	command.Group(cmd, "Judging", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.limits, "fail-on", "", "the `limits`, separated by commas (default for benchmarks: "+
			"time:+5%,allocs:+1%; for a service: cpu_per_request:+5%,allocs:+1%)")
		flags.IntVar(&f.config.Rounds, "rounds", 6, "how many `rounds` to measure: pairs of runs, blocks of a service")
		flags.IntVar(&f.config.Confirm, "confirm", 14, "how many `rounds` to measure what seems to exceed its limit")
	})
	command.Group(cmd, "Benchmarks", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Bench, "bench", ".", "run benchmarks that match this `pattern`, as go test -bench")
		flags.StringVar(&f.config.Benchtime, "benchtime", "5ms", "how `long` a run takes, as go test -benchtime")
		flags.IntVar(&f.config.Runs, "runs", 20, "how many `runs` per process; the fastest counts")
	})
	f.service.add(cmd)
	command.Group(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.output.json, "json", false, "print JSON")
		flags.BoolVarP(&f.output.quiet, "quiet", "q", false, "print no progress")
		flags.StringVar(&f.output.junit, "junit", "", "write JUnit XML to this `file`")
		flags.StringVar(&f.output.sarif, "sarif", "", "write SARIF 2.1.0, for code scanning, to this `file`")
		flags.StringVar(&f.output.quality, "codequality", "", "write GitLab's code quality report to this `file`")
		flags.StringVar(&f.output.markdown, "markdown", "",
			"write Markdown, for a comment on a pull request, to this `file`")
	})
}

// run measures and judges, prints the result, also if it was interrupted, and turns it into the exit code.
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
		return command.ExitError(command.ExitInterrupted)
	case err != nil:
		return err
	}
	switch res.Outcome {
	case gate.Fail:
		return command.ErrFindings
	case gate.CannotTell:
		return command.ExitError(exitCannotTell)
	}
	return nil
}

// tellInterrupted prints what a result does not say: that there is none, or what could not be stopped or removed.
func tellInterrupted(w io.Writer, err error, measured bool) {
	switch {
	case err.Error() != context.Canceled.Error():
		fmt.Fprintln(w, "casebook:", err)
	case !measured:
		fmt.Fprintln(w, "interrupted; nothing was measured, and nothing is left behind")
	}
}
