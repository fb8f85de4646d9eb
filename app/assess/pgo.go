package assess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/pgo"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A PGORequest names CPU profiles to make a profile for the compiler of.
type PGORequest struct {
	What  []string // cases, folders of cases, profiles, zips; "-" is Stdin
	Stdin io.Reader
	Dir   string // of the source; "": this folder
	Main  string // the main package, as `go build` takes it from Dir; "": Dir itself
	Out   string // the file to write; "": default.pgo beside the main package; "-": none
}

// A PGOResult is what came of it. It encodes as `casebook pgo --json`.
type PGOResult struct {
	Schema int    `json:"schema"`
	File   string `json:"file,omitempty"` // that was written
	Bytes  int64  `json:"bytes,omitempty"`
	pgo.Report
	Proof *PGOProof `json:"proof,omitempty"` // what the service says; nil: it was not measured

	Failed []error `json:"-"` // inputs that could not be read
}

// PGO merges CPU profiles for the compiler, and says what the result is worth. It is written whatever that is.
func PGO(ctx context.Context, r PGORequest) (*PGOResult, error) {
	c := cpuCollector{request: &DiagnoseRequest{Stdin: r.Stdin}}
	for _, what := range r.What {
		c.collect(ctx, what)
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	merged, err := pgo.Merge(c.inputs)
	if err != nil {
		return nil, errors.Join(append(c.failed, err)...)
	}
	tree, gap := readTree(ctx, &r)
	out := &PGOResult{Schema: casefile.Schema, Report: pgo.Judge(merged, tree), Failed: c.failed}
	if gap != nil {
		out.Gaps = append(out.Gaps, gap.Error())
	} else if out.Age, gap = c.age(ctx, tree, merged); gap != nil {
		out.Gaps = append(out.Gaps, "age: "+gap.Error())
	}
	return out, out.write(merged, tree, r.Out)
}

// readTree reads the source that the profile is for. Without it the profile can still be made.
func readTree(ctx context.Context, r *PGORequest) (*pgo.Tree, error) {
	main := r.Main
	if main == "" {
		main = "."
	}
	dir := r.Dir
	if dir == "" {
		dir = "."
	}
	return pgo.ReadTree(ctx, dir, main)
}

// write saves the profile where the go command looks for it.
func (p *PGOResult) write(m *pgo.Merged, tree *pgo.Tree, file string) error {
	switch {
	case file == "-":
		return nil
	case file == "" && tree == nil:
		return errors.New("no main package here to put default.pgo beside: name one with --main, or a file with -o")
	case file == "":
		file = filepath.Join(tree.Dir(), "default.pgo")
	}
	if err := WriteProfile(m.Calls.Profile(), file); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	// The go command of another user builds with it, and it has nothing but names of functions.
	if err := os.Chmod(file, 0o644); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	p.File, p.Bytes = file, info.Size()
	return nil
}

// A cpuCollector finds the CPU profiles of many processes.
type cpuCollector struct {
	request  *DiagnoseRequest
	inputs   []pgo.Input
	failed   []error
	revision string    // of the oldest program that says it
	built    time.Time // when the profile of that one was taken
}

// collect reads what an argument names: evidence of one process, or a folder of cases.
func (c *cpuCollector) collect(ctx context.Context, what string) {
	if f, err := casefile.Open(what); err == nil {
		c.readCase(ctx, f)
		return
	}
	g := gatherer{request: c.request, found: make(map[string]bool)}
	g.gather(ctx, what)
	var many *ManyCasesError
	for _, err := range g.failed {
		if errors.As(err, &many) {
			for _, dir := range many.Cases {
				c.collect(ctx, dir)
			}
			continue
		}
		c.failed = append(c.failed, err)
	}
	c.take(&g, "")
}

func (c *cpuCollector) readCase(ctx context.Context, f *casefile.Folder) {
	g := gatherer{request: c.request, found: make(map[string]bool)}
	g.gather(ctx, f.Path)
	c.failed = append(c.failed, g.failed...)
	if rev := f.Case.Target.Build.Revision; rev != "" && (c.built.IsZero() || f.Case.Opened.Before(c.built)) {
		c.revision, c.built = rev, f.Case.Opened
	}
	c.take(&g, hostOf(f.Case))
}

// hostOf is what tells the processes of a service apart.
func hostOf(c casefile.Case) string {
	if u, err := url.Parse(c.Target.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return fmt.Sprintf("%s %d", c.Target.Name, c.Target.PID)
}

// take keeps what is a CPU profile. Package stacks tells what that is, and refuses what would take all memory.
func (c *cpuCollector) take(g *gatherer, host string) {
	for _, e := range g.in.Evidence {
		if e.Kind != "" && e.Kind != casefile.CPU {
			continue
		}
		set, err := stacks.NewTable("").Read(stacks.Source{Name: e.Name, Kind: e.Kind}, e.Data)
		switch named := host == "" && !g.found[e.Name]; {
		case err != nil && named:
			c.failed = append(c.failed, err)
		case err == nil && set.Kind != casefile.CPU && named:
			c.failed = append(c.failed,
				fmt.Errorf("%s is a %s profile; the compiler reads CPU profiles", e.Name, set.Kind))
		case err == nil && set.Kind == casefile.CPU:
			c.count(e, host)
		}
	}
}

func (c *cpuCollector) count(e diagnose.Evidence, host string) {
	p, err := profile.ParseData(e.Data)
	if err != nil {
		c.failed = append(c.failed, fmt.Errorf("%s: %w", e.Name, err))
		return
	}
	counted, err := pgo.Count(p)
	if err != nil {
		c.failed = append(c.failed, fmt.Errorf("%s: %w", e.Name, err))
		return
	}
	taken := e.Taken
	if taken.IsZero() {
		taken = time.Unix(0, p.TimeNanos)
	}
	c.inputs = append(c.inputs, pgo.Input{Name: e.Name, Host: host, Taken: taken, Counted: counted})
}

// age asks git how much the source has changed. It is an error where git does not tell.
func (c *cpuCollector) age(ctx context.Context, t *pgo.Tree, m *pgo.Merged) (*pgo.Age, error) {
	at := m.From
	if at.IsZero() && c.revision == "" {
		return nil, errors.New("the profiles say neither a revision nor a time")
	}
	a, err := t.AgeOf(ctx, m.Calls, c.revision, at)
	if err != nil {
		return nil, err
	}
	return &a, nil
}
