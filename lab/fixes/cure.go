package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/number"
)

// An outcome is what came of a row.
type outcome struct {
	row
	changes []fix.Proposal
	err     error // why it was not tried
}

// cure does all of a row: the repository, the case, the fix.
func (o *options) cure(ctx context.Context, r row, dir string) (out outcome) {
	out.row = r
	b, err := o.buildOf(r)
	if err != nil {
		out.err = err
		return out
	}
	pkg, err := o.repository(ctx, r, b, dir)
	if err != nil {
		out.err = fmt.Errorf("making its repository: %w", err)
		return out
	}
	recorded, err := archive.Temp(recordedName(r))
	if err != nil {
		out.err = err
		return out
	}
	defer os.RemoveAll(recorded)
	evidence := []string{"--profile", filepath.Join(recorded, filepath.FromSlash(recordedName(r)))}
	if o.capture {
		caseDir, err := o.captured(ctx, r, dir, pkg)
		if err != nil {
			out.err = fmt.Errorf("capturing its case: %w", err)
			return out
		}
		evidence = []string{"--case", caseDir}
	}
	kind, err := o.kind(ctx, r, evidence[1])
	if err != nil {
		out.err = err
		return out
	}
	out.changes, out.err = o.fix(ctx, r, dir, pkg, kind, evidence)
	return out
}

// recordedName is the case that was recorded of a program.
func recordedName(r row) string { return path.Join(filepath.ToSlash(filepath.Dir(r.from)), r.name) }

// buildOf is what the recorded evidence says of the program's build: its module is the one that the copy gets.
func (o *options) buildOf(r row) (casefile.Build, error) {
	var m struct{ Build casefile.Build }
	set, err := archive.Find()
	if err != nil {
		return m.Build, err
	}
	data, err := set.ReadFile(recordedName(r) + "/manifest.json")
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m.Build, fmt.Errorf("its evidence: %w", err)
	}
	return m.Build, nil
}

// kind is the first kind of the row that the evidence has a finding of.
func (o *options) kind(ctx context.Context, r row, evidence string) (string, error) {
	text, err := exec.CommandContext(ctx, o.casebook, "diagnose", "--json", evidence).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 is findings
		return "", fmt.Errorf("casebook diagnose: %w", err)
	}
	var d casefile.Diagnosis
	if err := json.Unmarshal(text, &d); err != nil {
		return "", fmt.Errorf("what casebook diagnose says cannot be read: %w", err)
	}
	var has []string
	for _, f := range d.Findings {
		has = append(has, f.Kind)
	}
	for _, want := range r.kinds {
		if slices.Contains(has, want) {
			return want, nil
		}
	}
	return "", fmt.Errorf("the evidence has no finding of %s, but of %s", strings.Join(r.kinds, ", "),
		strings.Join(has, ", "))
}

// repository copies a program into a git repository of its own, as the module that its evidence is from.
func (o *options) repository(ctx context.Context, r row, b casefile.Build, dir string) (pkg string, err error) {
	rel := strings.TrimPrefix(strings.TrimPrefix(b.Path, b.Module), "/")
	up := strings.TrimSuffix(rel, filepath.Base(r.from)) // where the folder above the program is
	copies := map[string]string{r.from: rel}
	for _, w := range r.with {
		copies[w] = up + filepath.Base(w)
	}
	for from, to := range copies {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(o.lab, from))); err != nil {
			return "", err
		}
	}
	if r.module == "" {
		err = errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+b.Module+"\n\ngo 1.26\n"), 0o600),
			renameImports(dir, b.Path, "github.com/gocasebook/casebook/lab/"+r.from))
	} else {
		for _, name := range []string{"go.mod", "go.sum"} {
			data, rerr := os.ReadFile(filepath.Join(o.lab, r.module, name))
			err = errors.Join(err, rerr, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		}
	}
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "sick"}, {"add", "."}, {"-c", "user.name=lab", "-c",
		"user.email=lab@localhost", "commit", "-q", "-m", "sick"}} {
		if err := o.tool(ctx, dir, "git", args...); err != nil {
			return "", err
		}
	}
	return "./" + rel, nil
}

// renameImports puts the path of a program's folder as its evidence has it in place of today's: some were recorded when
// the lab was elsewhere.
func renameImports(dir, now, was string) error {
	return filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(data, []byte(was+"/")) {
			return err
		}
		return os.WriteFile(file, bytes.ReplaceAll(data, []byte(was+"/"), []byte(now+"/")), 0o600)
	})
}

// environment leaves the repository's workspace out.
func environment() []string { return append(os.Environ(), "GOWORK=off") }

func (o *options) tool(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if dir != filepath.Join(o.lab, "..", "app") {
		cmd.Env = environment()
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, last(string(out)))
	}
	return nil
}

func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], "; ")
}

// captured starts the program with its load, and captures a case.
func (o *options) captured(ctx context.Context, r row, dir, pkg string) (caseDir string, err error) {
	bin := filepath.Join(dir, ".git", "sick") // where git does not see it
	if err := o.tool(ctx, dir, "go", "build", "-o", bin, pkg); err != nil {
		return "", err
	}
	spec := child.Spec{Name: r.name, Dir: dir, Args: append([]string{bin, "-port", child.PortPlace}, r.args...), Row: 3}
	server, err := child.Start(spec)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := server.Ready(ctx, "", 30*time.Second); err != nil {
		return "", err
	}
	spec.Name, spec.Asks, spec.Args = "the load of "+r.name, server, append(spec.Args, "-load")
	load, err := child.Start(spec)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, load.Stop()) }()
	if err := sleep(ctx, o.warm); err != nil {
		return "", err
	}
	cases := filepath.Join(dir, ".git", "cases")
	cmd := exec.CommandContext(ctx, o.casebook, "capture", "--dir", cases, "--profile", "6s", "--budget",
		"cpu=-1,bytes=-1,pause=-1,longest=-1", "http://"+server.Addr)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 is findings
		return "", fmt.Errorf("%w: %s", err, last(string(text)))
	}
	found, err := filepath.Glob(filepath.Join(cases, "*", "case.json"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%d cases in %s: %s", len(found), cases, last(string(text)))
	}
	return filepath.Dir(found[0]), nil
}

// fix runs casebook fix, and reads what it says.
func (o *options) fix(ctx context.Context, r row, dir, pkg, kind string, evidence []string) ([]fix.Proposal, error) {
	server := strings.Join(append([]string{pkg, "-port", "{port}"}, r.args...), " ")
	cmd := exec.CommandContext(ctx, o.casebook, "fix", kind, evidence[0], evidence[1], "--prove", "--branch", "fixed",
		"--json", "--server", server, "--drive", server+" -load", "--rounds", strconv.Itoa(o.rounds), "--span",
		o.span.String())
	cmd.Dir, cmd.Env = dir, environment()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, io.MultiWriter(&errs, os.Stderr)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 is no change
		return nil, fmt.Errorf("casebook fix: %w: %s", err, last(errs.String()))
	}
	var res fix.Result
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		return nil, fmt.Errorf("what casebook fix says cannot be read: %w", err)
	}
	text, err := exec.CommandContext(ctx, "git", "-C", dir, "status", "--porcelain").Output()
	if err != nil || len(text) > 0 {
		return nil, fmt.Errorf("casebook fix has left something in the tree: %s, %v", text, err)
	}
	return res.Proposals, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// cured reports whether a change was kept.
func (o *outcome) cured() bool { return len(fix.Kept(o.changes)) > 0 }

func (o *outcome) print(w io.Writer, diff bool) {
	if o.err != nil {
		fmt.Fprintf(w, "%-15s not tried: %v\n", o.name, o.err)
		return
	}
	for _, c := range o.changes {
		fmt.Fprintf(w, "%-15s %s", o.name, c.Target.Name)
		switch {
		case c.Refused != "":
			fmt.Fprintf(w, "\n%15s left alone: %s\n", "", c.Refused)
			continue
		case c.Proof.Kept:
			fmt.Fprintf(w, ", fixed by %s: %s\n", c.By, c.Text)
		default:
			fmt.Fprintf(w, ", %s (%s) dropped: %s\n", c.By, c.Text, c.Proof.Reason)
		}
		if c.Proof.Measurement != nil {
			for _, f := range c.Proof.Figures {
				sure := ""
				if !f.Sure {
					sure = ", not sure"
				}
				fmt.Fprintf(w, "%15s %s %s%s\n", "", f.Name, number.Signed(number.Share, f.Change), sure)
			}
		}
		if c.Proof.Promise != "" {
			fmt.Fprintf(w, "%15s %s\n", "", c.Proof.Promise)
		}
		if diff {
			fmt.Fprintln(w, c.Diff)
		}
	}
}

// summarize counts.
func summarize(w io.Writer, all []outcome) {
	cured, gains := 0, make(map[string]int)
	for i := range all {
		if all[i].cured() {
			cured++
			gains[fix.Kept(all[i].changes)[0].Proof.Gain]++
		}
	}
	fmt.Fprintf(w, "\n%d of %d programs cured. Measured was what was promised for %d, more for %d, less for %d; for %d "+
		"nothing was promised that was measured.\n", cured, len(all), gains[fix.GainWithin], gains[fix.GainMore],
		gains[fix.GainLess], gains[""])
}
