package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/app/tool"
)

// found is what the tools reported.
type found struct {
	reports  []Report
	analyzed int // packages
}

// A diagnostic is one as go vet -json prints it.
type diagnostic struct {
	Posn    string    `json:"posn"`
	End     string    `json:"end"`
	Message string    `json:"message"`
	Fixes   []Fix     `json:"suggested_fixes"`
	Related []related `json:"related"`
}

// A related is a place that a diagnostic names beside its own.
type related struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

// places are those that can be read.
func places(all []related) (out []Place) {
	for _, r := range all {
		file, line, _, ok := position(r.Posn)
		if !ok {
			continue
		}
		p := Place{File: file, Line: line, End: line, Message: oneLine(r.Message)}
		if f, end, _, ok := position(r.End); ok && f == file && end > line {
			p.End = end
		}
		out = append(out, p)
	}
	return out
}

// A toolRun is one run of go vet.
type toolRun struct {
	tool  string
	flags []string

	units  map[string]map[string]json.RawMessage // by package and analyzer
	broken map[string]string                     // why packages could not be analyzed
	err    error
}

// vet runs the analyzers of this binary, and the fix tool of the Go toolchain with those of its modernizers that are
// about speed. They are not linked in: their tables would cost each start of casebook 17 ms of CPU.
func (r *Request) vet(ctx context.Context, pkgs []listed) (found, []Gap, error) {
	if len(pkgs) == 0 {
		return found{}, nil, nil
	}
	ours := &toolRun{tool: r.Tool}
	runs, gaps := []*toolRun{ours}, []Gap(nil)
	if fix, err := r.fixTool(ctx); err != nil {
		gaps = append(gaps, Gap{"checks of go fix", err.Error()})
	} else {
		runs = append(runs, fix)
	}
	var wg sync.WaitGroup
	for _, run := range runs {
		wg.Go(func() { r.run(ctx, run, pkgs) })
	}
	wg.Wait()
	for _, run := range runs {
		if run.err != nil {
			return found{}, nil, run.err
		}
	}
	out, more := collect(pkgs, ours, runs)
	return out, append(gaps, more...), nil
}

// fixTool is the toolchain's go fix, which works as a tool of go vet, too.
func (r *Request) fixTool(ctx context.Context) (*toolRun, error) {
	name, stderr, err := tool.Go{Dir: r.Dir}.Tool(ctx, "fix")
	if err != nil {
		return nil, fmt.Errorf("go tool fix does not run: %s", firstLines(stderr, 2))
	}
	run := &toolRun{tool: name}
	has, _, err := r.tool(ctx, run.tool, "-flags")
	if err != nil {
		return nil, errors.New("the fix tool of this Go release is an older one, without modernizers")
	}
	var flags []struct{ Name string }
	if err := json.Unmarshal(has, &flags); err != nil {
		return nil, errors.New("the fix tool of this Go release does not say what it can do")
	}
	for _, c := range Checks() {
		if c.Analyzer == nil && slices.ContainsFunc(flags, func(f struct{ Name string }) bool { return f.Name == c.Name }) {
			run.flags = append(run.flags, "-"+c.Name)
		}
	}
	if len(run.flags) == 0 {
		return nil, errors.New("the fix tool of this Go release has no modernizers; Go 1.26 has")
	}
	return run, nil
}

func (r *Request) tool(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.Dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.Bytes(), errs.Bytes(), err
}

// run runs go vet with a tool. That it fails for a package is in its stderr.
func (r *Request) run(ctx context.Context, t *toolRun, pkgs []listed) {
	args := append(append([]string{"-vettool=" + t.tool, "-json"}, t.flags...), r.tags()...)
	args = append(args, "--")
	for _, p := range pkgs {
		args = append(args, p.ImportPath)
	}
	out, stderr, err := tool.Go{Dir: r.Dir, Limit: tool.CompileLimit}.Run(ctx, "vet", args...)
	t.broken = brokenPackages(string(stderr))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.err = fmt.Errorf("running go vet: %w", err)
		return
	}
	if t.units, t.err = decodeUnits(out); t.err == nil && err != nil && len(t.units)+len(t.broken) == 0 {
		t.err = fmt.Errorf("running go vet: %w", err)
	}
}

// decodeUnits reads the JSON of go vet: an object a package, with the analyzers that report something, or that failed.
func decodeUnits(out []byte) (map[string]map[string]json.RawMessage, error) {
	units := make(map[string]map[string]json.RawMessage)
	trees, err := tool.Values[map[string]map[string]json.RawMessage](out)
	for _, tree := range trees {
		for unit, byName := range tree {
			if units[unit] == nil {
				units[unit] = make(map[string]json.RawMessage)
			}
			maps.Copy(units[unit], byName)
		}
	}
	return units, err
}

// collect puts together what runs reported, and says which packages they did not analyze.
func collect(pkgs []listed, ours *toolRun, runs []*toolRun) (out found, gaps []Gap) {
	known, seen := byName((*Check).name), make(map[string]bool)
	for _, run := range runs {
		for _, unit := range slices.Sorted(maps.Keys(run.units)) {
			for _, name := range slices.Sorted(maps.Keys(run.units[unit])) {
				var diags []diagnostic
				if err := json.Unmarshal(run.units[unit][name], &diags); err != nil {
					gaps = append(gaps, Gap{unit, fmt.Sprintf("%s failed: %s", name, run.units[unit][name])})
					continue
				}
				if c := known[name]; c != nil {
					out.add(c, unit, diags, seen)
				}
			}
		}
	}
	for _, p := range pkgs {
		if _, ok := ours.units[p.ImportPath][analyzed.Name]; !ok {
			gaps = append(gaps, Gap{p.ImportPath, ours.whyNot(p.ImportPath)})
			continue
		}
		out.analyzed++
		for _, run := range runs[1:] { // what is broken for ours has been said
			if why := run.broken[p.ImportPath]; why != "" {
				gaps = append(gaps, Gap{p.ImportPath, "without the checks of go fix: " + why})
			}
		}
	}
	return out, gaps
}

// whyNot says why a package was not analyzed. The go command says nothing of those that import a broken one.
func (t *toolRun) whyNot(pkg string) string {
	if why := t.broken[pkg]; why != "" {
		return why
	}
	text := "a package that it imports could not be compiled"
	for _, name := range slices.Sorted(maps.Keys(t.broken)) {
		return text + "; broken is " + strings.TrimSpace(name+" "+t.broken[name])
	}
	return text
}

// add takes the diagnostics of a check in a unit. A package and its test variants have the same ones; tests cost
// production nothing.
func (f *found) add(c *Check, unit string, diags []diagnostic, seen map[string]bool) {
	pkg, _, _ := strings.Cut(unit, " ")
	for _, d := range diags {
		file, line, column, ok := position(d.Posn)
		key := c.Name + "\x00" + d.Posn + "\x00" + d.Message
		if !ok || seen[key] || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(d.Message, importsOnly) {
			continue
		}
		seen[key] = true
		end := line
		if f, l, _, ok := position(d.End); ok && f == file && l > line {
			end = l
		}
		f.reports = append(f.reports, Report{Check: c.Name, Source: c.Source, File: file, Line: line, Column: column,
			End: end, Message: oneLine(d.Message), Package: pkg, Fixable: len(d.Fixes) > 0, Fixes: d.Fixes,
			Related: places(d.Related)})
	}
}

// importsOnly begins what perfsprint says at the imports of a file in which it would change a line: that is no mistake.
const importsOnly = "fiximports:"

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// position reads "file:line:column". The file may have colons, and is absolute.
func position(s string) (file string, line, column int, ok bool) {
	rest, col, _ := cutLast(s, ":")
	file, l, ok := cutLast(rest, ":")
	line, err1 := strconv.Atoi(l)
	column, err2 := strconv.Atoi(col)
	return filepath.Clean(file), line, column, ok && err1 == nil && err2 == nil && filepath.IsAbs(file)
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// brokenPackages reads what go vet says of packages that do not compile: "# path", then errors.
func brokenPackages(stderr string) map[string]string {
	out := make(map[string]string)
	pkg := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(strings.Trim(rest, "[]"), " ")
			continue
		}
		if line != "" && out[pkg] == "" {
			out[pkg] = strings.TrimPrefix(line, "vet: ")
		}
	}
	return out
}
