package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/app/tool"
)

// A program is a package's test binary of both revisions.
type program struct {
	pkg        string // import path
	module     string // its path; "" outside of modules
	base, head binary
}

type binary struct{ path, dir string }

// build makes the test binaries of every package that has benchmarks in both revisions.
func (g *benchmarks) build(ctx context.Context) error {
	base, err := g.packages(ctx, g.base)
	if err != nil {
		return err
	}
	head, err := g.packages(ctx, g.head)
	if err != nil {
		return err
	}
	known := make(map[string]string, len(base))
	for _, p := range base {
		known[p.path] = p.dir
	}
	for _, p := range head {
		baseDir, ok := known[p.path]
		if !ok {
			g.notes = append(g.notes, p.path+" has no benchmarks in the base, so there is nothing to compare with")
			continue
		}
		if err := g.buildBoth(ctx, p, baseDir); err != nil {
			return err
		}
	}
	if len(g.programs) == 0 && len(g.identical) == 0 {
		return fmt.Errorf("gate: no package of %s has benchmarks in both revisions; a gate needs functions "+
			"BenchmarkXxx in _test.go files", strings.Join(g.Packages, " "))
	}
	return nil
}

// A benchPackage is a package with benchmarks, and its folder in one of the trees.
type benchPackage struct{ path, module, dir string }

// packages lists those of a revision that have benchmarks.
func (g *benchmarks) packages(ctx context.Context, t *revision.Tree) ([]benchPackage, error) {
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{"\t"}}{{with .Module}}{{.Path}}{{end}}{{"\t"}}{{.Dir}}{{range .TestGoFiles}}{{"\t"}}{{.}}{{end}}{{range .XTestGoFiles}}{{"\t"}}{{.}}{{end}}{{end}}`
	args := append([]string{"-f", format, "--"}, g.Packages...)
	out, err := tool.Go{Dir: t.Dir}.Output(ctx, "list", args...)
	if err != nil {
		return nil, fmt.Errorf("gate: listing the packages of %s: %w", g.name(t), err)
	}
	var list []benchPackage
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 4 {
			continue
		}
		found, err := hasBenchmarks(f[2], f[3:])
		if err != nil {
			return nil, err
		}
		if found {
			list = append(list, benchPackage{f[0], f[1], f[2]})
		}
	}
	return list, nil
}

// hasBenchmarks looks for the declaration of one, so that packages without are not built.
func hasBenchmarks(dir string, files []string) (bool, error) {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, fmt.Errorf("gate: looking for benchmarks: %w", err)
		}
		if bytes.Contains(text, []byte("func Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// buildBoth builds a package's tests twice. The same bytes need no measuring.
func (g *benchmarks) buildBoth(ctx context.Context, pkg benchPackage, baseDir string) error {
	g.say("building %s", pkg.path)
	p := program{pkg: pkg.path, module: pkg.module, base: binary{dir: baseDir}, head: binary{dir: pkg.dir}}
	for _, side := range []struct {
		label string
		b     *binary
		tree  *revision.Tree
	}{{"base", &p.base, g.base}, {"head", &p.head, g.head}} {
		side.b.path = filepath.Join(g.tmp, side.label+strconv.Itoa(len(g.programs)+len(g.identical))+".test")
		if err := g.compile(ctx, pkg.path, *side.b, side.tree); err != nil {
			return err
		}
	}
	same, err := sameFile(p.base.path, p.head.path)
	if err != nil {
		return fmt.Errorf("gate: comparing binaries: %w", err)
	}
	if same && !g.MeasureIdentical {
		g.identical = append(g.identical, pkg.path)
		return errors.Join(os.Remove(p.base.path), os.Remove(p.head.path))
	}
	g.programs = append(g.programs, p)
	return nil
}

// compile makes the test binary of a package in a tree.
func (g *benchmarks) compile(ctx context.Context, pkg string, b binary, tree *revision.Tree) error {
	args := append([]string{"test", "-c", "-o", b.path}, reproducible()...)
	if _, err := tool.Run(ctx, b.dir, "go", append(args, ".")...); err != nil {
		return fmt.Errorf("gate: building the tests of %s in %s: %w", pkg, g.name(tree), err)
	}
	return nil
}

// reproducible returns flags of go build: paths, the state of the checkout and the build ID, a hash of the sources with
// their comments, would make binaries of the same code differ. DWARF is a quarter of a link, and no profile needs it.
func reproducible() []string {
	return []string{"-trimpath", "-buildvcs=false", "-ldflags=-w -buildid="}
}

func sameFile(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	return bytes.Equal(x, y), err
}
