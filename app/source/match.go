package source

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/internal/number"
)

// A Function is one of the evidence, where it is on this machine.
type Function struct {
	Name  string
	File  string // absolute
	Start int    // the line on which the build has it; 0 where the evidence does not say
}

// A Match is what is known of whether the source here is that of a build.
type Match struct {
	Checked int      // functions whose line the evidence says and whose file is here
	Moved   []string // those of them that begin on another line here, or are gone
	Notes   []string // what else speaks against it
}

// Stale reports whether anything speaks against it.
func (m *Match) Stale() bool { return len(m.Moved)+len(m.Notes) > 0 }

// String says it in a sentence or more; "" for source that nothing speaks against.
func (m *Match) String() string {
	parts := m.Notes
	if n := len(m.Moved); n > 0 {
		of := fmt.Sprintf("%d of %s with samples begin on other lines here, or are gone: %s", n,
			number.Things(m.Checked, "function"), strings.Join(m.Moved[:min(n, 3)], ", "))
		if n > 3 {
			of += " …"
		}
		parts = append(parts[:len(parts):len(parts)], of)
	}
	return strings.Join(parts, "; ")
}

// Match compares functions of the evidence with the files here, and the revision of the build with that of the folder.
func (p *Places) Match(ctx context.Context, functions []Function) *Match {
	m := &Match{Notes: p.notes(ctx)}
	files := make(map[string]map[int]bool) // the lines on which functions begin
	for _, f := range functions {
		if f.Start == 0 || f.File == "" || strings.Contains(f.Name, "-range") { // the body of a range over a function
			continue
		}
		starts, ok := files[f.File]
		if !ok {
			starts = startsOf(f.File)
			files[f.File] = starts
		}
		if starts == nil {
			continue
		}
		m.Checked++
		if !starts[f.Start] {
			m.Moved = append(m.Moved, f.Name)
		}
	}
	return m
}

// startsOf returns the lines on which functions of a file begin, those of the compiler among them; nil if it cannot be
// read.
func startsOf(file string) map[int]bool {
	data, err := readWhole(file)
	if err != nil || len(data) > maxFile || !strings.HasSuffix(file, ".go") {
		return nil
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, data, parser.SkipObjectResolution)
	if err != nil && tree == nil {
		return nil
	}
	starts := make(map[int]bool)
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n.(type) {
		// The compiler makes functions of its own of the bodies of range-over-func, and of calls by go and defer.
		case *ast.FuncDecl, *ast.FuncLit, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt:
			starts[set.Position(n.Pos()).Line] = true // with //line, as the compiler counts
		}
		return true
	})
	return starts
}

// notes compares the build with the folder: its revision, and whether it was changed.
func (p *Places) notes(ctx context.Context) (notes []string) {
	b := p.Build
	if b.Modified {
		notes = append(notes, "the program was built of a tree with changes that no revision has")
	}
	if !hash.MatchString(b.Revision) {
		return notes
	}
	out, err := tool.Git{Dir: p.Tree.Dir}.Run(ctx, "rev-parse", "HEAD")
	if err != nil {
		return notes // no repository: the functions' lines decide
	}
	short := func(s string) string { return s[:min(len(s), 12)] }
	here := strings.TrimSpace(string(out))
	if !strings.HasPrefix(here, b.Revision) {
		notes = append(notes, fmt.Sprintf("the program was built of revision %s, and this is %s", short(b.Revision),
			short(here)))
	}
	if out, err := (tool.Git{Dir: p.Tree.Dir}).Run(ctx, "status", "--porcelain", "--untracked-files=no"); err == nil &&
		len(out) > 0 {
		notes = append(notes, "files here are changed and not committed")
	}
	return notes
}
