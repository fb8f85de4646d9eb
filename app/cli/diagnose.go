package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

type diagnoseFlags struct {
	output  outputFlags
	base    []string
	profile time.Duration
	dir     string
	budget  budgetValue
	access  accessFlags
	links   linkFlags
}

func diagnoseCommand() *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose FILE|DIR|ZIP|URL…",
		Short: "Say what is wrong, from profiles, a case, or a running service",
		Long: `Diagnose reads profiles (any pprof file of Go: CPU, heap, allocs, goroutine,
mutex, block; also the text of ?debug=1 and ?debug=2), folders and zips of them,
or a case. It detects what a file is from its content. In a folder and its
direct subfolders it skips files that are not evidence. Given the URL of
net/http/pprof, it first captures what it needs, within --budget. Everything
named in one call must come from one process.

With --base it says what is new, worse, better and gone compared with earlier
evidence. That capture may be shorter or longer.

If --dir keeps the case, it has a page, report.html.
` + linksHelp() + `

Exit codes: 0 nothing found, 1 findings at warning or above (with --base: new
or worse ones), 2 wrong usage, or an argument could not be read.`,
		Example: `  casebook diagnose cpu.pb.gz heap.pb.gz
  casebook diagnose casebook-cases/20261121T132512Z-gc-cpu-3f2a9c
  casebook diagnose --profile 30s http://127.0.0.1:6060
  casebook diagnose --base before.zip incident.zip
  casebook diagnose --markdown incident.zip > ticket.md
  casebook diagnose --sarif findings.sarif --source ~/shop cpu.pb.gz
  curl -s http://127.0.0.1:6060/debug/pprof/heap | casebook diagnose -`,
		Args: command.NeedArgs("a file, a folder or a URL", "casebook diagnose cpu.pb.gz"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringArrayVar(&f.base, "base", nil, "compare with this `file`, folder, case or zip; repeatable")
	command.Group(cmd, "Output", f.output.add)
	command.Group(cmd, "For a URL", func(flags *pflag.FlagSet) {
		flags.DurationVar(&f.profile, "profile", 10*time.Second, "how long CPU, mutex and block profiles run, 1s to 5m")
		flags.StringVar(&f.dir, "dir", "", "keep the capture as a case in this `folder` (default: keep nothing)")
		f.budget.add(flags)
		f.access.add(flags)
		f.links.add(flags)
	})
	return cmd
}

func (f *diagnoseFlags) check() error {
	if f.profile < time.Second || f.profile > 5*time.Minute {
		return fmt.Errorf("--profile is %s; it must be from 1s to 5m", f.profile)
	}
	return f.output.check()
}

func (f *diagnoseFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	res, err := f.diagnose(cmd, args)
	if err != nil {
		return err
	}
	if res.read || f.output.json {
		if err := f.output.write(cmd.OutOrStdout(), cmd.ErrOrStderr(), res); err != nil {
			return err
		}
	}
	switch {
	case len(res.failed) > 0: // reported already, file by file, but what could be read was judged
		return errors.Join(res.failed...)
	case res.worst() >= warningScore:
		return command.ErrFindings
	}
	return nil
}

// A diagnosed holds what to print.
type diagnosed struct {
	report     diagnose.Report
	build      casefile.Build
	comparison *diagnose.Comparison // nil without a base
	base, now  compare.Capture      // what was judged
	read       bool                 // there was evidence
	failed     []error
}

// worst returns the highest score that counts for the exit code: with a base, the highest of what is new or worse.
func (d *diagnosed) worst() int {
	if d.comparison == nil {
		return worstScore(d.report.Diagnosis)
	}
	worst := 0
	for _, c := range d.comparison.Changes {
		if c.State == diagnose.StateNew || c.State == diagnose.StateWorse {
			worst = max(worst, c.Now.Score)
		}
	}
	return worst
}

func (f *diagnoseFlags) diagnose(cmd *cobra.Command, args []string) (*diagnosed, error) {
	res := &diagnosed{}
	var base diagnose.Report
	if len(f.base) > 0 {
		b, err := f.judge(cmd, f.base, "the base", res)
		if err != nil {
			return nil, err
		}
		if len(b.report.Read) == 0 {
			return nil, errors.Join(append(res.failed, errors.New("--base: no evidence could be read; nothing to "+
				"compare with"))...)
		}
		base = b.report
		res.build, res.base = b.build, b.capture()
	}
	now, err := f.judge(cmd, args, "", res)
	if err != nil {
		return nil, err
	}
	if a, b := res.build.Module, now.build.Module; a != "" && b != "" && a != b {
		fmt.Fprintf(cmd.ErrOrStderr(), "the base comes from %s, the other from %s: comparing two programs says "+
			"little\n",
			render.Plain(a), render.Plain(b))
	}
	res.report, res.build, res.read, res.now = now.report, now.build, len(now.report.Read) > 0, now.capture()
	if len(f.base) > 0 && res.read {
		c := diagnose.CompareReports(base, now.report)
		res.comparison = &c
	}
	return res, nil
}

// A side is one of the diagnoses that --base compares.
type side struct {
	report   diagnose.Report
	build    casefile.Build
	evidence []diagnose.Evidence
}

func (s *side) capture() compare.Capture {
	return compare.Capture{Evidence: s.evidence, Read: s.report.Read}
}

// judge gathers what the arguments name and runs the detectors over it. What could not be read goes to res.
func (f *diagnoseFlags) judge(cmd *cobra.Command, args []string, part string, res *diagnosed) (side, error) {
	g := gatherer{part: part, progress: cmd.ErrOrStderr(), stdin: cmd.InOrStdin(), flags: f, found: make(map[string]bool)}
	ctx := cmd.Context()
	for _, arg := range args {
		g.gather(ctx, arg)
	}
	if ctx.Err() != nil {
		return side{}, errors.New("interrupted")
	}
	g.tellIgnored()
	report := diagnose.Run(ctx, g.in, diagnose.Options{})
	for _, p := range report.Problems {
		g.problem(p, len(report.Read) > 0)
	}
	for _, p := range report.Failed {
		g.fail(fmt.Errorf("detector %s broke: %s; please report this with the evidence", p.ID, p.Reason))
	}
	res.failed = append(res.failed, g.failed...)
	return side{report, g.in.Build, g.in.Evidence}, nil
}

// A gatherer turns arguments into evidence. One that cannot be read does not stop the others.
type gatherer struct {
	progress io.Writer
	stdin    io.Reader
	flags    *diagnoseFlags
	in       diagnose.Input
	found    map[string]bool // files that nobody named: they are in a named folder or zip
	ignored  []string        // those of them that are not evidence
	part     string          // "the base", for messages; "" for what is diagnosed
	bytes    int64           // read so far
	failed   []error
}
