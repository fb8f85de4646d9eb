package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

type diagnoseFlags struct {
	json    bool
	profile time.Duration
}

func diagnoseCommand() *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose FILE|DIR|URL…",
		Short: "Say what is wrong, from profiles, a case, or a running service",
		Long: `Diagnose reads profiles (any pprof file of Go: CPU, heap, allocs, goroutine,
mutex, block; also the text of ?debug=1 and ?debug=2), folders of them, or a
case's folder. What a file is, is found out by its content. Given the URL of
net/http/pprof, it captures what it needs first. Everything named in one call
must be of one process.

Exit codes: 0 nothing found, 1 findings at warning or above, 2 wrong usage, or
something named that could not be read. In a folder, files that are no evidence
are skipped.`,
		Example: `  casebook diagnose cpu.pb.gz heap.pb.gz
  casebook diagnose casebook-cases/20261121T132512Z-gc-cpu-3f2a9c
  casebook diagnose --profile 30s http://127.0.0.1:6060
  curl -s http://127.0.0.1:6060/debug/pprof/heap | casebook diagnose -`,
		Args: needArgs("a file, a folder or a URL", "casebook diagnose cpu.pb.gz"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().DurationVar(&f.profile, "profile", 10*time.Second, "for a URL: how long the CPU profile runs, 1s to 5m")
	return cmd
}

func (f *diagnoseFlags) run(cmd *cobra.Command, args []string) error {
	if f.profile < time.Second || f.profile > 5*time.Minute {
		return fmt.Errorf("--profile is %s; it must be from 1s to 5m", f.profile)
	}
	g := gatherer{progress: cmd.ErrOrStderr(), stdin: cmd.InOrStdin(), profile: f.profile, found: make(map[string]bool)}
	for _, arg := range args {
		g.gather(cmd.Context(), arg)
	}
	if err := cmd.Context().Err(); err != nil {
		return errors.New("interrupted")
	}
	report := diagnose.Run(cmd.Context(), g.in)
	for _, p := range report.Problems {
		g.problem(p, len(report.Read) > 0)
	}
	for _, p := range report.Failed {
		g.fail(fmt.Errorf("detector %s broke: %s; please report this with the evidence", p.ID, p.Reason))
	}
	if len(report.Read) > 0 || f.json {
		if err := f.print(cmd, report); err != nil {
			return err
		}
	}
	switch {
	case len(g.failed) > 0: // said already, file by file, but what could be read was judged
		return errors.Join(g.failed...)
	case worstScore(report.Diagnosis) >= warningScore:
		return errFindings
	}
	return nil
}

func (f *diagnoseFlags) print(cmd *cobra.Command, report diagnose.Report) error {
	out := cmd.OutOrStdout()
	if f.json {
		return writeDiagnosisJSON(out, report.Diagnosis)
	}
	p := newPrinter(out)
	for _, a := range report.Read {
		p.text("read   ", a.Name+": "+a.Text+tail("; ", a.Note))
	}
	fmt.Fprintln(out)
	printDiagnosis(out, report.Diagnosis)
	return nil
}

// A gatherer turns arguments into evidence. One that cannot be read does not stop the others.
type gatherer struct {
	progress io.Writer
	stdin    io.Reader
	profile  time.Duration
	in       diagnose.Input
	found    map[string]bool // files that nobody named: they lie in a folder that was
	failed   []error
}

// problem tells of a file that could not be read. One that merely lies in a folder beside evidence is skipped: people keep
// notes and traces there.
func (g *gatherer) problem(p diagnose.Problem, others bool) {
	if g.found[p.File] && others {
		fmt.Fprintf(g.progress, "skipped %s: %s\n", p.File, p.Reason)
		return
	}
	g.fail(fmt.Errorf("%s: %s%s", p.File, p.Reason, tail("; ", p.Next)))
}

func (g *gatherer) fail(err error) { g.failed = append(g.failed, err) }

func (g *gatherer) gather(ctx context.Context, arg string) {
	info, err := os.Stat(arg)
	switch {
	case arg == "-":
		g.reader("standard input", g.stdin)
	case err == nil && info.IsDir() && exists(filepath.Join(arg, "case.json")):
		g.caseFolder(arg)
	case err == nil && info.IsDir():
		g.folder(arg)
	case err == nil:
		g.file(arg)
	case strings.Contains(arg, "://") || looksLikeAddress(arg):
		g.url(ctx, arg)
	default:
		g.fail(fmt.Errorf("%s: no such file or folder; a URL begins with http://", arg))
	}
}

// looksLikeAddress tells "localhost:6060" from the name of a file that does not exist.
func looksLikeAddress(arg string) bool {
	host, port, ok := strings.Cut(arg, ":")
	if !ok || host == "" && port == "" || strings.ContainsAny(host, `/\`) {
		return false
	}
	digits, _, _ := strings.Cut(port, "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// maxFile bounds one file; package stacks bounds what is in it.
const maxFile = 256 << 20

func (g *gatherer) file(path string) {
	f, err := os.Open(path)
	if err != nil {
		g.fail(err)
		return
	}
	defer f.Close()
	g.reader(path, f)
}

func (g *gatherer) reader(name string, r io.Reader) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		g.fail(fmt.Errorf("reading %s: %w", name, err))
	case len(data) > maxFile:
		g.fail(fmt.Errorf("%s is larger than %s; a profile of a Go process is not", name, size(maxFile)))
	default:
		g.in.Evidence = append(g.in.Evidence, diagnose.Evidence{Name: name, Data: data})
	}
}

func (g *gatherer) caseFolder(path string) {
	f, err := casefile.Open(path)
	if err != nil {
		g.fail(err)
		return
	}
	in, errs := diagnose.CaseInput(f)
	g.failed = append(g.failed, errs...)
	g.in.Build, g.in.Limits, g.in.Tripped = in.Build, in.Limits, in.Tripped
	g.in.Evidence = append(g.in.Evidence, in.Evidence...)
}

// folder reads every regular file in a folder and below, but not hidden ones. What is no evidence is skipped.
func (g *gatherer) folder(dir string) {
	before := len(g.in.Evidence)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			g.fail(err)
		case path != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			g.found[path] = true
			g.file(path)
		}
		return nil
	})
	if err != nil {
		g.fail(err)
	}
	if len(g.in.Evidence) == before {
		g.fail(fmt.Errorf("%s holds no files to read", dir))
	}
}

// url captures from a running service what the detectors need.
func (g *gatherer) url(ctx context.Context, arg string) {
	t, err := target.NewHTTP(arg)
	if err != nil {
		g.fail(err)
		return
	}
	d, err := t.Describe(ctx)
	if err != nil {
		g.fail(err)
		return
	}
	fmt.Fprintf(g.progress, "capturing for %s from %s at %s\n", g.profile, describe(d), t.URL())
	g.in.Build, g.in.Limits = d.Build, d.Limits
	first := vitals.NewSample(time.Now())
	if err := t.Sample(ctx, &first); err != nil {
		g.fail(err)
		return
	}
	g.capture(ctx, t, casefile.During, diagnoseKinds())
	g.capture(ctx, t, casefile.After, []string{casefile.Goroutine, casefile.Heap}) // two snapshots show what grows
}

// diagnoseKinds are what detectors read and any process can bear: no budget is asked here.
func diagnoseKinds() []string {
	return []string{casefile.Goroutine, casefile.Heap, casefile.CPU, casefile.Mutex, casefile.Block}
}

// capture takes several kinds at once and keeps what came.
func (g *gatherer) capture(ctx context.Context, t *target.HTTP, phase casefile.Phase, kinds []string) {
	got := make([]target.Profile, len(kinds))
	errs := make([]error, len(kinds))
	var group sync.WaitGroup
	for i, kind := range kinds {
		group.Go(func() { got[i], errs[i] = t.Capture(ctx, kind, g.profile) })
	}
	group.Wait()
	for i, kind := range kinds {
		var empty *target.EmptyError
		switch {
		case errors.As(errs[i], &empty): // the detectors say what they miss
		case errs[i] != nil:
			g.fail(fmt.Errorf("capturing %s: %w", kind, errs[i]))
		default:
			g.in.Evidence = append(g.in.Evidence, diagnose.Evidence{
				Name: fmt.Sprintf("%s profile (%s)", kind, phase), Kind: kind, Phase: phase,
				Seconds: got[i].Seconds, Taken: got[i].Taken, Data: got[i].Data,
			})
		}
	}
}
