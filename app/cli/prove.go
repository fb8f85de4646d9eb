package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

// exitCannotTell is the code of a proof without a verdict.
const exitCannotTell = 3

func proveCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "prove [flags] [COMMAND] URL",
		Short: "Measure two servers against each other and give a verdict",
		Long: `Prove starts two servers, A and B, loads them in turns, and says of each figure
whether B is better, worse or the same, or that it cannot tell; with the size of
the change, its 95 % interval, and by how much two starts of A differ. It ends
when the key figure is clear, or at --max-time.

A and B are two commands (--a, --b), one COMMAND with different environments or
arguments, or the Go package that COMMAND begins with at two git revisions:
--rev is A, --against is B; "." is the working tree. In a command and in its
environment {port} is replaced by a free port, which the server must listen on
at 127.0.0.1, and {pprof} by another, for net/http/pprof; it is also found
on {port}. Commands are split at spaces and quotes; there is no shell.

URL is a path like /items, or http://127.0.0.1:{port}/items, or
grpc://127.0.0.1:{port}/package.Service/Method.

How it is judged: docs/prove.md.

Exit codes: 0 better or the same; 1 worse; 2 wrong usage or failure, with the
results so far; 3 it cannot be told; 130 interrupted, with the results so far.
The verdict is that of the key figure (--key).`,
		Example: `  casebook prove --rate 300 --a './old -addr :{port}' --b './new -addr :{port}' /
  casebook prove --rate 300 --rev main --against . './cmd/server -p {port}' /items
  casebook prove --rate 300 --b-env GOGC=400 './server -addr :{port}' /items
  casebook prove --case 20261121T13 --key gc_cpu --rate 300 --a … --b … /items`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return runProve(cmd, &f, args) },
	}
	f.add(cmd)
	return cmd
}

// runProve measures, tells what came of it, also when it was cut short, and puts it into the case.
func runProve(cmd *cobra.Command, f *proveFlags, args []string) (err error) {
	ctx := cmd.Context()
	plan, err := f.plan(args)
	if err != nil {
		return err
	}
	var folder *casefile.Folder
	if f.caseID != "" { // before anything is measured
		if folder, err = openCase(f.dir, []string{f.caseID}); err != nil {
			return err
		}
	}
	view := newProveView(cmd.ErrOrStderr(), f.silent)
	if plan.pkg == "" && plan.a.Command() == plan.b.Command() {
		view.say("A and B are the same: whatever differs is noise")
	}
	defer view.clear()
	closeSides, err := plan.build(ctx, view)
	defer func() { err = errors.Join(err, closeSides()) }()
	if err != nil {
		return proveError(ctx, err)
	}
	cfg := f.config(cmd, plan)
	cfg.View = view.trial(cfg.MaxTime)
	result, err := trial.Run(ctx, cfg)
	view.clear()
	for _, left := range result.Left {
		fmt.Fprintln(cmd.ErrOrStderr(), "casebook:", left)
	}
	if len(result.Blocks) > 0 {
		p := f.proof(result, plan)
		if folder != nil {
			p.Promise = prove.Promised(folder.Case.Findings, &p)
		}
		if werr := f.write(cmd.OutOrStdout(), p, result, folder); werr != nil {
			err = errors.Join(err, werr)
		}
		if err == nil {
			return verdictError(p.Verdict)
		}
	}
	return proveError(ctx, err)
}

// proveError is what remains to be said of an error: of Ctrl-C nothing.
func proveError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return exitError(exitInterrupted)
	}
	return loadError(err)
}

// verdictError turns a verdict into the exit code.
func verdictError(v casefile.Verdict) error {
	switch v {
	case casefile.Worse:
		return exitError(exitFindings)
	case casefile.CannotTell:
		return exitError(exitCannotTell)
	}
	return nil
}

// proof completes what was measured with what it was measured on.
func (f *proveFlags) proof(r trial.Result, plan *provePlan) casefile.Proof {
	p := r.Proof
	p.Before, p.After = plan.variant(&plan.a), plan.variant(&plan.b)
	p.Taken = time.Now().UTC()
	if r.Profiles != nil {
		p.Moved = r.Profiles.Moved
		if r.Profiles.Absent != "" {
			p.Method += " There are no CPU profiles of both sides: " + r.Profiles.Absent + "."
		}
	}
	if r.Limited != "" {
		p.Method += " The load generator was at its limit: " + r.Limited + "."
	}
	p.Load = fmt.Sprintf("%s to %s, open model, in turns of %s", f.load.rate+"/s", plan.url, f.slice)
	return p
}
