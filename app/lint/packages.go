package lint

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/internal/number"
)

// A listed is a package as go list prints it.
type listed struct {
	ImportPath     string
	Dir            string
	Standard       bool
	ForTest        string
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string
	Module         *struct{ Path, Dir string }
	Error          *listError
	DepsErrors     []*listError
}

type listError struct {
	ImportStack []string
	Pos         string
	Err         string
}

func (e *listError) words() string {
	text := strings.TrimSpace(e.Err)
	if e.Pos != "" {
		text = e.Pos + ": " + text
	}
	return firstLines(text, 3)
}

// list finds the packages to analyze, and what of the patterns cannot be.
func (r *Request) list(ctx context.Context) (pkgs []listed, gaps []Gap, err error) {
	args := append([]string{"-e", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,IgnoredGoFiles,Module,Error," +
		"DepsErrors"}, r.tags()...)
	out, stderr, err := tool.Go{Dir: r.Dir}.Run(ctx, "list", append(append(args, "--"), r.Packages...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("finding the packages: %w: %s", err, firstLines(stderr, 5))
	}
	all, err := tool.Values[listed](out)
	if err != nil {
		return nil, nil, fmt.Errorf("finding the packages: %w", err)
	}
	ignored := 0
	for _, p := range all {
		ignored += len(p.IgnoredGoFiles)
		switch {
		case p.Error != nil && onlyIgnored(&p):
			gaps = append(gaps, Gap{p.ImportPath, "build constraints leave out all of its files; --tags sets others"})
			ignored -= len(p.IgnoredGoFiles)
		case p.Error != nil:
			gaps = append(gaps, Gap{p.ImportPath, p.Error.words()})
		case len(p.DepsErrors) > 0:
			gaps = append(gaps, Gap{p.ImportPath, p.DepsErrors[0].words()})
		case len(p.GoFiles)+len(p.CgoFiles) > 0: // else it has tests only
			pkgs = append(pkgs, p)
		}
	}
	if text := firstLines(stderr, 3); text != "" && len(pkgs)+len(gaps) == 0 {
		gaps = append(gaps, Gap{strings.Join(r.Packages, " "), text})
	}
	if ignored > 0 {
		gaps = append(gaps, Gap{number.Things(ignored, "file"), "build constraints of this platform leave them out; " +
			"--tags sets others"})
	}
	gaps = append(gaps, r.otherModules(ctx, pkgs)...)
	return pkgs, append(gaps, r.unlisted(pkgs, gaps)...), nil
}

func onlyIgnored(p *listed) bool {
	return len(p.IgnoredGoFiles) > 0 && strings.Contains(p.Error.Err, "build constraints exclude all Go files")
}

// otherModules are those of a workspace, or below the folder, that the patterns did not reach.
func (r *Request) otherModules(ctx context.Context, pkgs []listed) (gaps []Gap) {
	out, _, err := tool.Go{Dir: r.Dir}.Run(ctx, "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil // no module: the packages are named one by one
	}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		reached := slices.ContainsFunc(pkgs, func(p listed) bool { return p.Module != nil && p.Module.Path == path })
		if !reached && dir != "" && r.everything() {
			gaps = append(gaps, Gap{"module " + path, "go.work names it, and the patterns do not reach it; add " + dir +
				"/..."})
		}
	}
	return gaps
}

// unlisted are folders below this one that go list passes over without a word: modules of their own, and packages whose
// files are all for another platform.
func (r *Request) unlisted(pkgs []listed, gaps []Gap) (more []Gap) {
	if !slices.Contains(r.Packages, "./...") {
		return nil
	}
	known := make(map[string]bool)
	for _, p := range pkgs {
		known[p.Dir] = true
		if p.Module != nil {
			known[p.Module.Dir] = true
		}
	}
	_ = filepath.WalkDir(r.Dir, func(dir string, e fs.DirEntry, err error) error { // what cannot be read is not Go's
		switch name := e.Name(); {
		case err != nil || !e.IsDir():
			return nil
		case dir == r.Dir || known[dir]:
			return nil
		case name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_':
			return filepath.SkipDir
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil
		}
		has := func(is func(name string) bool) bool {
			return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type().IsRegular() && is(e.Name()) })
		}
		rel, _ := filepath.Rel(r.Dir, dir) // both are absolute
		said := slices.ContainsFunc(gaps, func(g Gap) bool {
			return strings.HasSuffix(g.What, "/"+filepath.ToSlash(rel)) || strings.Contains(g.Reason, dir+"/...")
		})
		switch {
		case said:
		case has(func(name string) bool { return name == "go.mod" }):
			more = append(more, Gap{"./" + filepath.ToSlash(rel), "a module of its own; lint it with --source"})
			return filepath.SkipDir
		case has(isCode):
			more = append(more, Gap{"./" + filepath.ToSlash(rel), "build constraints leave out all of its files; --tags " +
				"sets others"})
		}
		return nil
	})
	return more
}

// isCode reports whether a file is Go's, and no test.
func isCode(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && name[0] != '_' && name[0] != '.'
}

// everything reports whether a pattern means all that is here. Who names packages does not expect others.
func (r *Request) everything() bool {
	return slices.ContainsFunc(r.Packages, func(p string) bool { return strings.HasSuffix(p, "...") })
}

func (r *Request) tags() []string {
	if r.Tags == "" {
		return nil
	}
	return []string{"-tags=" + r.Tags}
}

// firstLines are the first lines of a text, in one.
func firstLines[T []byte | string](text T, n int) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if len(lines) > n {
		lines = append(lines[:n], "…")
	}
	return strings.Join(lines, " ")
}
