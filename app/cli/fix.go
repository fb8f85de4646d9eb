package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/terminal"
)

type fixFlags struct {
	caseID, dir  string
	profiles     []string
	source, tags string
	list         bool

	write, prove bool
	branch       string

	bench, benchtime     string
	server, url, drive   string
	rounds               int
	span                 time.Duration
	margin               float64
	service              gateService
	json, quiet, verbose bool

	busy *terminal.Busy // shows what takes long, while run runs
}

func fixCommand() *cobra.Command {
	var f fixFlags
	cmd := &cobra.Command{
		Use: `fix [FINDING|CHECK@FILE:LINE…]
  casebook fix --list`,
		Short: "Make the change that a finding or a diagnostic asks for, and prove it",
		Long: `Fix takes findings of a case or of profiles (their ID or kind), and diagnostics
of casebook lint (CHECK@FILE:LINE), finds their lines in the source, and prints
the change as a diff. It changes nothing unless it is told to. Without a name it
takes all findings of the evidence, and what lint reports at hot lines.

A change is made only where syntax and types show that it is safe: it must
compile, export the same, and not be of a generated or vendored file. Where fix
leaves a place alone, it says why. --list says what it can change.

--prove makes each change in a git worktree, builds, runs the tests of its
package, and measures it against the code without: the package's benchmarks
(--bench), a service under load (--server, --url, --rate), or a service that
brings its own load (--server, --drive). What is not better is dropped.
--branch commits what is kept, one change a commit, with the proof in the
message. --write changes the files; with --prove only those of what is kept.
A tree with changes that are not committed is not touched.

{port} in --server and --drive becomes a free port. With --drive the three ports
behind it are free, too, and CPU, memory and goroutines of the server count.

Exit codes: 0 there is a change, with --prove one that is kept; 1 there is none;
2 wrong usage or failure; 130 interrupted. docs/fix.md has the details.`,
		Example: `  casebook fix --case 20261121T132512Z-gc-cpu-3f2a9c
  casebook fix regexp-compile --profile cpu.pb.gz
  casebook fix regexpinfunc@orders.go:25 --write
  casebook fix regexpinfunc@orders.go:25 --prove --bench .
  casebook fix --case 20261121T13 --prove --branch fixes --rate 300 \
    --server './cmd/shop -addr 127.0.0.1:{port}' --url /items
  casebook fix --list`,
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	return cmd
}

func (f *fixFlags) add(cmd *cobra.Command) {
	command.Group(cmd, "What to fix", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.caseID, "case", "", "the findings of the case with this `ID`, or folder")
		flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` of the cases")
		flags.StringArrayVar(&f.profiles, "profile", nil, "the findings of this `file`, folder or zip; repeatable")
		flags.StringVar(&f.source, "source", "", "`folder` of the code (default: this one)")
		flags.StringVar(&f.tags, "tags", "", "build `tags`, as for go build")
		flags.BoolVar(&f.list, "list", false, "list what can be changed, for which findings and diagnostics")
	})
	command.Group(cmd, "What to do", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.write, "write", false, "change the files")
		flags.BoolVar(&f.prove, "prove", false, "build, test and measure each change, and keep what is better")
		flags.StringVar(&f.branch, "branch", "", "with --prove: commit what is kept to a new branch of this `name`")
	})
	command.Group(cmd, "Measuring", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.bench, "bench", "", "measure benchmarks that match this `pattern`, as go test -bench")
		flags.StringVar(&f.benchtime, "benchtime", "5ms", "how `long` a run of a benchmark takes")
		flags.StringVar(&f.server, "server", "", "the service: a `command` that begins with its Go package")
		flags.StringVar(&f.url, "url", "/", "the `path` that is loaded")
		flags.StringVar(&f.drive, "drive", "", "the service's own load: a `command` that begins with its Go package")
		flags.IntVar(&f.rounds, "rounds", 0, "how many `rounds` to measure (default 6, with --drive 10)")
		flags.DurationVar(&f.span, "span", 2*time.Second, "with --drive: how long a server is measured in a round")
		flags.Float64Var(&f.margin, "margin", 2, "ignore changes below this many `percent`")
	})
	f.service.add(cmd)
	command.Group(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.json, "json", false, "print JSON")
		flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress")
		addVerbose(flags, &f.verbose, "with names or without: print what was left alone, too")
	})
}

func (f *fixFlags) run(cmd *cobra.Command, args []string) error {
	if f.list {
		return f.printCures(cmd)
	}
	f.busy = terminal.NewBusy(f.progress(cmd))
	res, note, dir, err := f.change(cmd, args)
	f.busy.End()
	if err != nil {
		return err
	}
	if err := f.output(cmd.OutOrStdout(), dir, res, note, len(args) > 0); err != nil {
		return err
	}
	if !res.Changed(f.prove) {
		return command.ErrFindings
	}
	return nil
}

// change finds what to change, and proves and writes it where that is asked for. dir is the folder of the code; note is
// what speaks against the code being what ran.
func (f *fixFlags) change(cmd *cobra.Command, args []string) (res *fix.Result, note, dir string, err error) {
	measure, err := f.measure(cmd)
	if err != nil {
		return nil, "", "", err
	}
	ctx := cmd.Context()
	targets, cfg, note, err := f.targets(cmd, args)
	if err != nil {
		return nil, "", "", err
	}
	if f.write || f.prove {
		command.InOrder(ctx)
		if err := fix.Clean(ctx, cfg.Dir); err != nil { // before anything takes time
			return nil, "", "", err
		}
	}
	f.busy.Say("loading the packages, and finding what can be changed")
	res, err = fix.Propose(ctx, cfg, targets)
	if err != nil {
		return nil, "", "", f.interrupted(ctx, err)
	}
	if f.prove {
		p := fix.Prover{Config: cfg, Measure: measure, Branch: f.branch, Say: f.say}
		if err := p.Prove(ctx, res.Proposals); err != nil {
			return nil, "", "", f.interrupted(ctx, err)
		}
	}
	if f.write {
		kept := res.Proposals
		if f.prove {
			kept = fix.Kept(kept)
		}
		if res.Written, err = fix.Write(ctx, cfg, kept); err != nil {
			return nil, "", "", err
		}
		if !f.prove {
			res.Proposals = kept // some may have been refused since
		}
	}
	return res, note, cfg.Dir, nil
}

func (f *fixFlags) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return command.ExitError(command.ExitInterrupted)
	}
	return err
}

func (f *fixFlags) say(text string) { fmt.Fprintln(f.busy, text) }

// measure is how --prove measures; flags that contradict each other are reported before anything is built.
func (f *fixFlags) measure(cmd *cobra.Command) (fix.Measure, error) {
	if !f.prove {
		if f.branch != "" {
			return nil, errors.New("--branch commits what is proved: give --prove, too")
		}
		return nil, nil
	}
	if f.margin < 0 || f.margin > 50 {
		return nil, fmt.Errorf("--margin %g: want 0 to 50 percent", f.margin)
	}
	margin := f.margin / 100
	if f.rounds != 0 && f.drive == "" { // Driven.Check has its own bounds
		if err := gate.CheckRounds(f.rounds); err != nil {
			return nil, fmt.Errorf("--rounds: %w", err)
		}
	}
	switch {
	case f.drive != "":
		return f.driven(margin)
	case f.server != "":
		g := &fix.Gated{Margin: margin, Progress: f.busy}
		g.Config.Rounds = f.rounds
		if !f.service.asked() {
			return nil, errors.New("--server: how many requests a second should it get? For instance: --rate 300")
		}
		if _, err := f.service.plan(cmd, []string{f.server, f.url}, &g.Config); err != nil {
			return nil, err
		}
		return g.Measure, nil
	case f.bench != "":
		return (&fix.Gated{Margin: margin, Progress: f.busy,
			Config: gate.Config{Bench: f.bench, Benchtime: f.benchtime, Rounds: f.rounds}}).Measure, nil
	}
	return nil, errors.New("--prove: measured by what? Give --bench PATTERN for benchmarks, --server COMMAND --url PATH " +
		"--rate RATE for a service, or --server COMMAND --drive COMMAND for one with a load of its own")
}

func (f *fixFlags) driven(margin float64) (fix.Measure, error) {
	if f.server == "" {
		return nil, errors.New("--drive is the load of a service: give its --server, too")
	}
	server, err := child.Split(f.server)
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	drive, err := child.Split(f.drive)
	if err != nil {
		return nil, fmt.Errorf("--drive: %w", err)
	}
	d := &fix.Driven{Server: server, Drive: drive, Env: f.service.env, Rounds: f.rounds, Span: f.span, Margin: margin,
		Say: f.say}
	return d.Measure, d.Check()
}

func (f *fixFlags) progress(cmd *cobra.Command) io.Writer {
	if f.quiet {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}
