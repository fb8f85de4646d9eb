package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

// exitCannotTell is the code of a proof without a verdict.
const exitCannotTell = 3

func proveCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove [flags] [COMMAND] URL",
		Short: "Measure two servers against each other and give a verdict",
		Long: `Prove starts two servers, A and B, and loads them in turns. For each figure it
says whether B is better, worse or the same, or that it cannot tell. It prints
the size of the change, its 95 % interval, and how much two starts of A differ.
It ends when the answer is clear, or at --max-time. If a queue is still growing
when a turn ends, turns become longer. If a server cannot keep up, prove says
which.

A and B can be two commands (--a, --b), or one COMMAND with different
environments or arguments. Or they are the Go package that COMMAND begins with
at two git revisions: --rev is A, --against is B, "." is the working tree.

{port} in a command or its environment becomes a free port; the server must
listen on it at 127.0.0.1. {pprof} becomes another port, for net/http/pprof;
without it, prove looks for pprof on {port}. Commands are split at spaces and
quotes; there is no shell.

URL is a path like /items, or http://127.0.0.1:{port}/items, or
grpc://127.0.0.1:{port}/package.Service/Method.

The load is a --rate, at random times, or a --pace; both servers get the same
pieces of it:

` + indent(load.PaceText) + `

` + load.ArrivalsText + `
docs/prove.md explains how it judges.

Exit codes: 0 better or the same; 1 worse; 2 wrong usage or failure, with the
results so far; 3 cannot tell; 130 interrupted, with the results so far. The
verdict is about the key figure: --key, or else the one that decided
(docs/prove.md).`,
		Example: `  casebook prove --rate 300 --a './old -p {port}' --b './new -p {port}' /items
  casebook prove --rate 300 --rev main --against . './cmd/web -p {port}' /items
  casebook prove --rate 300 --b-env GOGC=400 './server -addr :{port}' /items
  casebook prove --pace 'ramp 50..800 60s' --a … --b … /items
  casebook prove --case 20261121T13 --key gc_cpu --rate 300 --a … --b … /items`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return runProve(cmd, &f, args) },
	}
	f.add(cmd)
	return cmd
}

// runProve measures, prints the result, also if it was cut short, and puts it into the case.
func runProve(cmd *cobra.Command, f *proveFlags, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	r, err := f.request(cmd, args)
	if err != nil {
		return err
	}
	view := newProveView(stderr, f.silent)
	r.Trial.View = view.trial(r.Trial.MaxTime)
	command.InOrder(ctx)
	done, err := assess.Prove(ctx, r)
	view.clear()
	for _, left := range done.Left {
		terminal.Error(stderr, cmd.Root().Name(), left)
	}
	if err != nil {
		return proveError(ctx, stderr, err)
	}
	return f.tell(cmd, done)
}

// tell prints and keeps what was measured.
func (f *proveFlags) tell(cmd *cobra.Command, p *assess.Proved) error {
	stderr := cmd.ErrOrStderr()
	if p.Keeps {
		fmt.Fprintf(stderr, "casebook: the measurement was cut short: case %s keeps the proof it has\n", p.Case.Case.ID)
	}
	err := f.write(cmd.OutOrStdout(), p)
	switch {
	case cmd.Context().Err() != nil && err != nil:
		terminal.Error(stderr, cmd.Root().Name(), err)
		return command.ExitError(command.ExitInterrupted)
	case cmd.Context().Err() != nil:
		return command.ExitError(command.ExitInterrupted)
	case p.Cut != nil || err != nil:
		return loadError(errors.Join(p.Cut, err))
	}
	return verdictError(p.Proof.Verdict)
}

// proveError returns the end of a run without a single block.
func proveError(ctx context.Context, stderr io.Writer, err error) error {
	if ctx.Err() == nil {
		return loadError(err)
	}
	fmt.Fprintln(stderr, "casebook: interrupted before the first block was measured: there is no result")
	return command.ExitError(command.ExitInterrupted)
}

// verdictError turns a verdict into the exit code.
func verdictError(v casefile.Verdict) error {
	switch v {
	case casefile.Worse:
		return command.ExitError(command.ExitFindings)
	case casefile.CannotTell:
		return command.ExitError(exitCannotTell)
	}
	return nil
}
