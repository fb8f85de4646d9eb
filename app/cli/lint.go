package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/settings"
)

type lintFlags struct {
	output  lintOutput
	caseID  string
	dir     string
	profile []string
	source  string
	tags    string
	without bool

	baseline, writeBaseline string

	budget budgetValue
	access accessFlags
}

func lintCommand() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [PACKAGES] [URL]",
		Short: "Read the source: known mistakes of speed, ranked by what production pays",
		Long: `Lint runs analyzers over packages (default: ./...): Casebook's own, and those of
staticcheck, perfsprint, prealloc, go vet and go fix that are about speed. It
ranks what they report by the share of CPU, allocated bytes or waiting that the
profiles of a running program have there, counted only in the calls that the
check is about. What would save less than 0.5 % is a count. What the detectors
of casebook diagnose find at a line of the packages stands in the same list.

Notes stand last, and count for nothing: modules at a release with a known fault,
and settings that the code leaves at a default that bites ("casebook known").

Profiles come from a case (--case), files, folders and zips (--profile), or the
URL of net/http/pprof, which is captured first. Without any, or with
--without-heat, lint is an ordinary linter: reports are in the order of their
places.

The go command must be in $PATH. It caches what was found for each package: the
first run reads all dependencies and takes minutes, the next ones seconds.

With --baseline only what the file does not have is reported, so that a build
fails on what is new. A reported line is known again by its check, its file and
its text.

Exit codes: 0 nothing reported, 1 something reported, 2 wrong usage, or nothing
could be analyzed.`,
		Example: `  casebook lint
  casebook lint --profile cpu.pb.gz --profile heap.pb.gz
  casebook lint ./internal/... http://127.0.0.1:6060
  casebook lint --case 20261121T132512Z-gc-cpu-3f2a9c
  casebook lint --without-heat --write-baseline lint.json
  casebook lint --baseline lint.json --profile cpu.pb.gz
  casebook lint --lines --profile cpu.pb.gz`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	command.Group(cmd, "Heat", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.caseID, "case", "", "take the profiles of the case with this `ID`, or folder")
		flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` of the cases")
		flags.StringArrayVar(&f.profile, "profile", nil,
			"take the profiles of this `file`, folder or zip; repeatable, all of one process")
		flags.BoolVar(&f.without, "without-heat", false, "do not rank")
	})
	command.Group(cmd, "Code", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.source, "source", "", "`folder` of the code (default: this one)")
		flags.StringVar(&f.tags, "tags", "", "build `tags`, as for go build")
	})
	command.Group(cmd, "Output", f.output.add)
	command.Group(cmd, "Baseline", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.baseline, "baseline", "", "leave out what this `file` knows")
		flags.StringVar(&f.writeBaseline, "write-baseline", "", "write what is reported to this `file`, and exit with 0")
	})
	command.Group(cmd, "For a URL", func(flags *pflag.FlagSet) {
		f.budget.add(flags)
		f.access.add(flags)
	})
	return cmd
}

func (f *lintFlags) run(cmd *cobra.Command, args []string) error {
	packages, evidence, err := f.evidence(args)
	if err != nil {
		return err
	}
	r := lint.Request{Dir: f.source, Packages: packages, Tags: f.tags}
	if r.Tool, err = os.Executable(); err != nil {
		return fmt.Errorf("linting: %w", err)
	}
	if f.baseline != "" {
		if r.Baseline, err = lint.ReadBaseline(f.baseline); err != nil {
			return err
		}
	}
	var failed []error
	if len(evidence) > 0 {
		heated, err := f.heat(cmd.Context(), cmd.ErrOrStderr(), evidence)
		if err != nil {
			return err
		}
		r.Heat, r.Findings, failed = heated.Map, heated.found, heated.Failed
		r.Source, r.Stale = heated.match.String(), func(file string) string { return heated.stale[file] }
	}
	busy := terminal.NewBusy(f.progress(cmd))
	r.On = busy.Say
	res, err := lint.Run(cmd.Context(), r)
	if err == nil {
		res.Note(cmd.Context(), r)
	}
	busy.End()
	if err != nil {
		return err
	}
	if err := f.output.write(cmd.OutOrStdout(), res, r.Heat); err != nil {
		return err
	}
	if r.Heat == nil && !f.without && len(res.Reports) > 0 {
		f.output.howToHeat(cmd.OutOrStdout())
	}
	return f.end(res, failed)
}

// progress is where progress goes: nowhere for a form that programs read.
func (f *lintFlags) progress(cmd *cobra.Command) io.Writer {
	if f.output.json || f.output.lines || f.output.sarif == "-" {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}

// end is what the exit code says.
func (f *lintFlags) end(res *lint.Result, failed []error) error {
	if f.writeBaseline != "" {
		failed = append(failed, lint.BaselineOf(res).Write(f.writeBaseline))
	}
	if res.Packages == 0 {
		failed = append(failed, errors.New("no package could be analyzed; ./... means all below the folder; "+
			"of a module that a go.work above does not list, set GOWORK=off"))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if len(res.Reports) > 0 && f.writeBaseline == "" {
		return command.ErrFindings
	}
	return nil
}

// evidence tells packages from addresses, and finds what to take heat from.
func (f *lintFlags) evidence(args []string) (packages, evidence []string, err error) {
	for _, a := range args {
		if strings.Contains(a, "://") {
			evidence = append(evidence, a)
		} else {
			packages = append(packages, a)
		}
	}
	evidence = append(evidence, f.profile...)
	if f.caseID != "" {
		c, err := casework.Open(casework.Which{Dir: f.dir, ID: f.caseID})
		if err != nil {
			return nil, nil, err
		}
		evidence = append(evidence, c.Path)
	}
	if f.without && len(evidence) > 0 {
		return nil, nil, errors.New("--without-heat: then no profile, case or URL is needed")
	}
	return packages, evidence, nil
}

// heat reads the evidence, and finds its files in the code that is analyzed.
func (f *lintFlags) heat(ctx context.Context, progress io.Writer, evidence []string) (*lintHeat, error) {
	r := assess.DiagnoseRequest{What: evidence,
		Capture: casework.CaptureRequest{Reason: "casebook lint", Profile: settings.ProfileFor.Default,
			Budget: casebook.Budget(f.budget.limits), Tool: command.Tool()},
		Reach: func(url string) (casework.Target, error) {
			return targetOf(url, &f.access, new(aboutFlags), new(sourceFlags), new(linkFlags))
		},
	}
	end := watchProgress(&r, progress)
	defer end()
	var places *source.Places
	stale := make(map[string]string)
	heated, err := assess.Heat(ctx, r, func(build casefile.Build) (heat.Locate, error) {
		dir := f.source
		if dir == "" {
			dir = "."
		}
		var err error
		if places, err = source.FindPlaces(ctx, dir, build); err != nil {
			return nil, fmt.Errorf("the heat is another program's: %w", err)
		}
		return func(fn *stacks.Func) string {
			found := places.File(casefile.Frame{Function: fn.Name, File: fn.File})
			stale[found.File] = found.Stale
			return found.File
		}, nil
	})
	if err != nil {
		return nil, err
	}
	out := &lintHeat{Heated: heated, match: places.Match(ctx, ownFunctions(heated.Map)), stale: stale}
	for _, found := range heated.Findings {
		if len(found.Where) > 0 {
			at := places.File(found.Where[0])
			out.found = append(out.found, lint.Finding{Finding: found, File: at.File})
		}
	}
	return out, nil
}

// A lintHeat is heat, with what is known of whether the code here is what ran.
type lintHeat struct {
	*assess.Heated
	found []lint.Finding
	match *source.Match
	stale map[string]string // by file: why it may be another version
}

// ownFunctions are the program's own functions that have samples, with where they are here.
func ownFunctions(m *heat.Map) (out []source.Function) {
	for _, fn := range m.Functions(heat.CPU) {
		if fn.Owner == stacks.User && filepath.IsAbs(fn.File) {
			out = append(out, source.Function{Name: fn.Name, File: fn.File, Start: fn.Start})
		}
	}
	return out
}
