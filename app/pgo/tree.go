package pgo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Tree is the source that is about to be built: the main package and all that it imports, as the go command sees them.
type Tree struct {
	main     string             // import path of the main package
	module   string             // path of the main module
	dir      string             // of the main package
	packages map[string]*listed // by import path
	parsed   map[string]functions
}

// A listed package is what go list says of it.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	Standard   bool
	Module     *struct {
		Path string
		Main bool
	}
	Error *struct{ Err string }
}

// ReadTree asks the go command for the packages of a program. pkg is as `go build` takes it, from dir.
func ReadTree(ctx context.Context, dir, pkg string) (*Tree, error) {
	out, err := tool.Go{Dir: dir}.Output(ctx, "list", "-e", "-deps",
		"-json=ImportPath,Name,Dir,GoFiles,CgoFiles,Standard,Module,Error", "--", pkg)
	if err != nil {
		return nil, fmt.Errorf("looking for the source of %s: %w", pkg, err)
	}
	t := &Tree{packages: make(map[string]*listed), parsed: make(map[string]functions)}
	var last *listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("reading what go list says of %s: %w", pkg, err)
		}
		t.packages[p.ImportPath], last = p, p
	}
	switch { // the package that was named comes last
	case last == nil:
		return nil, fmt.Errorf("%s: no Go package there", pkg)
	case last.Error != nil:
		return nil, fmt.Errorf("%s: %s", pkg, last.Error.Err)
	case last.Name != "main":
		return nil, fmt.Errorf("%s is package %s, not a program: name the folder of its main package", pkg, last.Name)
	}
	t.main, t.dir = last.ImportPath, last.Dir
	if last.Module != nil {
		t.module = last.Module.Path
	}
	return t, nil
}

// Dir is the folder of the main package: the go command looks for default.pgo there.
func (t *Tree) Dir() string { return t.dir }

// An Owner is whose code a function is.
type Owner int

// The owners.
const (
	Own Owner = iota // the main module's
	Dependency
	Standard
	Unknown // not in the tree
)

// find returns the package of a function's name as profiles have it, and the rest of the name.
func (t *Tree) find(name string) (pkg *listed, rest string) {
	path, rest := splitName(name)
	if path == "main" {
		path = t.main
	}
	return t.packages[path], rest
}

// owner returns whose code a function is.
func (t *Tree) owner(name string) Owner {
	p, _ := t.find(name)
	switch {
	case p == nil:
		return Unknown
	case p.Standard:
		return Standard
	case p.Module == nil || p.Module.Main:
		return Own
	}
	return Dependency
}

// splitName divides "gopkg.in/yaml%2ev3.(*parser).peek" into import path and the name in the package. In the path's last
// element the linker writes dots as %2e (cmd/internal/objabi/path.go).
func splitName(name string) (path, rest string) {
	plain, _, _ := strings.Cut(name, "[") // type arguments may have slashes and dots
	from := strings.LastIndexByte(plain, '/') + 1
	dot := strings.IndexByte(plain[from:], '.')
	if dot < 0 {
		return name, ""
	}
	return unescape(name[:from+dot]), name[from+dot+1:]
}

// unescape undoes %xx.
func unescape(path string) string {
	for from := 0; ; {
		i := strings.IndexByte(path[from:], '%')
		if i < 0 || from+i+3 > len(path) {
			return path
		}
		var b byte
		if n, _ := fmt.Sscanf(path[from+i+1:from+i+3], "%02x", &b); n == 1 {
			path = path[:from+i] + string([]byte{b}) + path[from+i+3:]
		}
		from += i + 1
	}
}

// A body is where a function calls others: lines below its first one.
type body struct {
	file     string // "" of what is outside of functions
	calls    map[int]bool
	literals []body // function literals in it, and in those
}

// files are where a function is; those of all function literals outside of functions, which have no names of their own.
func (b *body) files() []string {
	if b.file != "" {
		return []string{b.file}
	}
	var all []string
	for _, l := range b.literals {
		all = append(all, l.file)
	}
	return all
}

// functions are those of a package by their names as profiles have them, without type arguments.
type functions map[string]body

// body returns that of the declared function that a name is of or in.
func (t *Tree) body(name string) (b body, ok bool) {
	p, rest := t.find(name)
	if p == nil {
		return body{}, false
	}
	fs, ok := t.parsed[p.ImportPath]
	if !ok {
		fs = p.parse()
		t.parsed[p.ImportPath] = fs
	}
	outer, _ := outermost(rest)
	b, ok = fs[outer]
	return b, ok
}

// has reports whether a function exists, and whether it still calls something so many lines below its beginning.
func (t *Tree) has(name string, offset int) (function, call bool) {
	b, ok := t.body(name)
	if !ok {
		return false, false
	}
	_, rest := splitName(name)
	if _, literal := outermost(rest); !literal {
		return true, b.calls[offset]
	}
	for _, l := range b.literals {
		if l.calls[offset] {
			return true, true
		}
	}
	return len(b.literals) > 0, false
}

// outermost returns the declared function of a name without type arguments, and whether the name is of a function
// literal in it: "(*T).M.func1.2". Which literal that is depends on the version of Go.
func outermost(rest string) (name string, literal bool) {
	rest = stacks.WithoutTypes(rest)
	parts := strings.Split(rest, ".")
	n := 1
	if strings.HasPrefix(rest, "(") {
		n = 2
	} else if len(parts) > 1 && !isLiteral(parts[1]) {
		n = 2 // T.M
	}
	n = min(n, len(parts))
	return strings.Join(parts[:n], "."), n < len(parts)
}

// isLiteral reports whether a part of a name is one that the compiler gives.
func isLiteral(part string) bool {
	for _, prefix := range []string{"func", "gowrap", "deferwrap"} {
		if number, ok := strings.CutPrefix(part, prefix); ok && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	return strings.Trim(part, "0123456789") == "" || strings.HasPrefix(part, "init")
}

// parse reads a package's files. One that cannot be parsed has no functions: nothing of it would be built, either.
func (p *listed) parse() functions {
	out := make(functions)
	var outside body // function literals in variables of the package
	for _, name := range append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.CgoFiles...) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					out[syntax.NameOf(d)] = bodyOf(set, d.Pos(), d.Body)
				}
			case *ast.GenDecl:
				outside.literals = append(outside.literals, bodyOf(set, d.Pos(), d).literals...)
			}
		}
	}
	out["glob"] = outside // pkg.glob..func1, or pkg.init.func1
	if init := out["init"]; len(outside.literals) > 0 {
		init.literals = append(init.literals, outside.literals...)
		out["init"] = init
	}
	return out
}

// bodyOf finds the lines on which a function calls others. A call is on the line of its closing name: `a.\n b()` on b's.
func bodyOf(set *token.FileSet, start token.Pos, block ast.Node) body {
	first := set.Position(start).Line
	b := body{file: set.Position(start).Filename, calls: make(map[int]bool)}
	ast.Inspect(block, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			inner := bodyOf(set, x.Pos(), x.Body)
			b.literals = append(append(b.literals, inner), inner.literals...)
			return false
		case *ast.CallExpr:
			b.add(set, first, x.Pos(), x.Lparen)
		case *ast.RangeStmt: // over a function
			b.add(set, first, x.Pos(), x.X.End())
		}
		return true
	})
	return b
}

// add counts the lines of a call until its opening bracket: the compiler's line of a chain of calls is one of these.
func (b *body) add(set *token.FileSet, first int, from, to token.Pos) {
	for line := set.Position(from).Line; line <= set.Position(to).Line; line++ {
		b.calls[line-first] = true
	}
}
