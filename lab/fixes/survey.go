package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/fix/rewrite"
)

// survey lets rewriters change all of a public module (path@version), each by itself: what they change must build, and
// the tests of the packages must say what they say without the change. No evidence asks for these changes, so that there
// are far more of them than casebook fix would make.
func (o *options) survey(ctx context.Context, w io.Writer, module, dir string) error {
	if err := copyModule(ctx, module, dir); err != nil {
		return err
	}
	units, skipped, err := rewrite.Loader{Dir: dir}.Load(ctx, "./...")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d packages, %d left out\n", module, len(units), len(skipped))
	for _, r := range rewrite.All() {
		s := surveyed{dir: dir, files: make(map[string][]byte), old: make(map[string][]byte), reasons: make(map[string]int)}
		for _, u := range units {
			if err := s.change(&r, u); err != nil {
				return fmt.Errorf("%s in %s: %w", r.Name, u.Path, err)
			}
		}
		if s.made == 0 && len(s.reasons) == 0 {
			continue
		}
		if err := s.judge(ctx); err != nil {
			return err
		}
		s.print(w, r.Name)
	}
	return nil
}

// copyModule downloads a module and copies it to where it can be changed.
func copyModule(ctx context.Context, module, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Env = environment()
	out, err := cmd.Output()
	var m struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &m); err != nil || jerr != nil || m.Dir == "" {
		return fmt.Errorf("downloading %s: %w %s", module, errors.Join(err, jerr), m.Error)
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(file string, e os.DirEntry, err error) error { // the module cache is read-only
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		return os.Chmod(file, info.Mode().Perm()|0o200)
	})
}

// surveyed is what a rewriter did to a module.
type surveyed struct {
	dir        string
	made       int
	reasons    map[string]int // of places that were left alone
	files, old map[string][]byte
	packages   []string
	failed     []string // what does not build, or tests that fail only with the change
}

// change makes all changes in a package that do not overlap.
func (s *surveyed) change(r *rewrite.Rewriter, u *rewrite.Unit) error {
	var edits []rewrite.Edit
	var imports []rewrite.Import
	made := 0
	for _, c := range r.Find(u) {
		if c.Refused != "" {
			s.reasons[c.Refused]++
			continue
		}
		with, imps := slices.Concat(edits, c.Edits), slices.Concat(imports, c.Imports)
		if _, err := rewrite.Apply(os.ReadFile, with, imps); err != nil {
			var overlap *rewrite.OverlapError
			if !errors.As(err, &overlap) {
				return err
			}
			continue
		}
		edits, imports = with, imps
		made++
	}
	if made == 0 {
		return nil
	}
	files, err := rewrite.Apply(os.ReadFile, edits, imports)
	if err != nil {
		return err
	}
	maps.Copy(s.files, files)
	s.made += made
	rel, err := filepath.Rel(s.dir, filepath.Dir(slices.Collect(maps.Keys(files))[0]))
	s.packages = append(s.packages, "./"+filepath.ToSlash(rel))
	return err
}

// judge writes the changes, builds and tests, and takes them back.
func (s *surveyed) judge(ctx context.Context) error {
	if s.made == 0 {
		return nil
	}
	without := s.failing(ctx)
	for file, data := range s.files {
		was, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		s.old[file] = was
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	for _, what := range s.failing(ctx) {
		if !slices.Contains(without, what) {
			s.failed = append(s.failed, what)
		}
	}
	var errs []error
	for file, data := range s.old {
		errs = append(errs, os.WriteFile(file, data, 0o600))
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// failing are the packages that do not build or whose tests fail, and why in a line.
func (s *surveyed) failing(ctx context.Context) (out []string) {
	for _, pkg := range s.packages {
		cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout=5m", pkg)
		cmd.Dir, cmd.Env = s.dir, environment()
		if text, err := cmd.CombinedOutput(); err != nil {
			out = append(out, pkg+": "+firstFailure(string(text)))
		}
	}
	return out
}

// firstFailure is the first line of a test's output that says what failed: the times in others differ.
func firstFailure(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " (")
			return name
		}
		if strings.Contains(line, ".go:") || strings.HasPrefix(line, "panic: ") {
			return line
		}
	}
	return last(text)
}

func (s *surveyed) print(w io.Writer, name string) {
	left := 0
	for _, n := range s.reasons {
		left += n
	}
	verdict := ""
	switch {
	case len(s.failed) > 0:
		verdict = "; FAILS: " + strings.Join(s.failed, "; ")
	case s.made > 0:
		verdict = fmt.Sprintf("; %d packages build, and their tests say the same", len(s.packages))
	}
	fmt.Fprintf(w, "  %-12s %4d changed, %4d left alone%s\n", name, s.made, left, verdict)
	for _, why := range slices.Sorted(maps.Keys(s.reasons)) {
		fmt.Fprintf(w, "  %12s %4d %s\n", "", s.reasons[why], why)
	}
}
