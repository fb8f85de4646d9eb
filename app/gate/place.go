package gate

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/app/tool"
)

// A Place is where a function begins in the revision that was judged.
type Place struct {
	File string `json:"file"` // from the top of the repository, with slashes
	Line int    `json:"line"`
}

// A locator finds functions of profiles in a tree, by their names: a profile of a build with -trimpath names files that
// are on no disk.
type locator struct {
	root    string            // absolute, of the repository
	main    string            // the folder of package main; "" for none
	modules map[string]string // folders by path: more than one in a workspace
}

// newLocator asks git and go. program is the package of a service, as go build takes it; "" for none.
func newLocator(ctx context.Context, dir, program string) (*locator, error) {
	root, err := topOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	l := &locator{root: root, modules: make(map[string]string)}
	list, err := tool.Go{Dir: dir}.Output(ctx, "list", "-m", "-f", `{{.Path}}{{"\t"}}{{.Dir}}`)
	if err != nil {
		return nil, fmt.Errorf("listing the modules: %w", err)
	}
	for line := range strings.Lines(string(list)) {
		if name, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			l.modules[name] = folder
		}
	}
	if program != "" {
		if l.main = l.folder(program); build.IsLocalImport(program) {
			l.main = filepath.Join(dir, filepath.FromSlash(program))
		}
	}
	return l, nil
}

// topOf returns the top of the repository that a folder is in.
func topOf(ctx context.Context, dir string) (string, error) {
	out, err := tool.Git{Dir: dir}.Run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", fmt.Errorf("asking git for the top of the repository: %w", err)
	}
	return filepath.FromSlash(strings.TrimSpace(string(out))), nil
}

// folder returns the folder of a package of the modules; "" of any other.
func (l *locator) folder(pkg string) string {
	if pkg == "main" {
		return l.main
	}
	best, dir := "", ""
	for name, folder := range l.modules {
		if rest, ok := strings.CutPrefix(pkg, name); ok && (rest == "" || rest[0] == '/') && len(name) >= len(best) {
			best, dir = name, filepath.Join(folder, filepath.FromSlash(rest))
		}
	}
	return dir
}

// find returns where a function is declared; nil of one that is not in the repository. A closure is where the function
// around it is.
func (l *locator) find(function string) *Place {
	if l == nil {
		return nil
	}
	pkg, name := splitFunction(function)
	dir := l.folder(pkg)
	if dir == "" {
		dir = l.folder(strings.TrimSuffix(pkg, "_test")) // tests of their own package
	}
	entries, err := os.ReadDir(dir)
	if dir == "" || err != nil {
		return nil
	}
	for _, e := range entries {
		if ok, err := build.Default.MatchFile(dir, e.Name()); err != nil || !ok || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		file := filepath.Join(dir, e.Name())
		if line := declaredAt(file, name); line > 0 {
			return l.place(file, line)
		}
	}
	return nil
}

// place names a file from the top of the repository; nil outside of it.
func (l *locator) place(file string, line int) *Place {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // as git names the top
	}
	rel, err := filepath.Rel(l.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return &Place{filepath.ToSlash(rel), line}
}

// splitFunction cuts "example.com/shop.(*T[...]).mix.func1" into its package and "(*T).mix".
func splitFunction(function string) (pkg, name string) {
	at := strings.LastIndexByte(function, '/') + 1
	last, name, _ := strings.Cut(function[at:], ".")
	return function[:at] + last, plainName(name)
}

// declaredAt returns the line on which a file declares a function; 0 if it does not.
func declaredAt(file, name string) int {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return 0 // it was built, so that it is of another system, or a test's data
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && syntax.NameOf(f) == name {
			return set.Position(f.Pos()).Line
		}
	}
	return 0
}

// locate finds the places of what failed. Without an answer there are none: the verdict stands without them.
func (g *gate) locate(ctx context.Context, res *Result) {
	if res.Outcome != Fail {
		return
	}
	program := ""
	if g.Service != nil {
		program = g.Service.Package
	}
	l, err := newLocator(ctx, g.head.Dir, program)
	if err == nil {
		res.Root, err = topOf(ctx, g.Dir) // that of the head may be a worktree, which is removed
	}
	if err != nil {
		g.say("cannot find the lines of what failed: %v", err)
		return
	}
	for i := range res.Judgements {
		j := &res.Judgements[i]
		if j.Outcome != Fail {
			continue
		}
		j.Place = l.find(entryOf(j.Subject))
		for k := range j.Because {
			j.Because[k].Place = l.find(j.Because[k].Function)
		}
	}
}

// entryOf returns the function that runs what was measured: the benchmark, or main of a service.
func entryOf(subject string) string {
	if strings.HasPrefix(subject, servicePrefix) {
		return "main.main"
	}
	pkg, name := splitSubject(subject)
	return pkg + "." + topName(name)
}
