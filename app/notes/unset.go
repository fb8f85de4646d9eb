package notes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// Notes are the faults of the program's releases, and the defaults that bite where its own source leaves them.
func (p *Program) Notes() []Note { return append(Faults(p.Modules), p.defaults()...) }

func (p *Program) defaults() (out []Note) {
	rows, _ := known.Advices()
	files := map[string][]*ast.File{} // of packages, by import path
	set := token.NewFileSet()
	for _, m := range p.Modules {
		for _, a := range rows {
			if len(a.Unset) == 0 || !m.has(a) || !known.IsRelease(m.Version) || !a.HoldsFor(m.Version) {
				continue
			}
			if n, ok := p.unset(a, m, set, files); ok {
				out = append(out, n)
			}
		}
	}
	return out
}

// unset finds a literal that leaves out what a row is about. One mention of the field elsewhere, in a package that
// imports the module's, may set it: then nobody knows.
func (p *Program) unset(a *known.Advice, m Module, set *token.FileSet, files map[string][]*ast.File) (n Note, ok bool) {
	calls := exported(a.At)
	called := len(calls) == 0
	for _, rule := range a.Unset {
		field := newSetting(m, rule)
		for _, pkg := range p.own {
			if !slices.Contains(pkg.Imports, field.pkg) {
				continue
			}
			if _, read := files[pkg.ImportPath]; !read {
				files[pkg.ImportPath] = pkg.parse(set)
			}
			for _, f := range files[pkg.ImportPath] {
				found := field.look(f, p.names[field.pkg], calls)
				if found.mentioned {
					return n, false
				}
				called = called || found.called
				if found.literal != nil && !ok {
					at := set.Position(found.literal.Pos())
					n, ok = noteOf(a, m), true
					n.File, n.Line = at.Filename, at.Line
					n.Setting, n.Default, _ = strings.Cut(a.Subject, " ")
				}
			}
		}
	}
	return n, ok && called
}

// exported are the names of the functions that others can call.
func exported(functions []string) (out []string) {
	for _, fn := range functions {
		if name := fn[strings.LastIndexByte(fn, '.')+1:]; token.IsExported(name) && !strings.Contains(fn, "/internal/") {
			out = append(out, name)
		}
	}
	return out
}

// parse reads the package's files, without those that are no Go.
func (l *listed) parse(set *token.FileSet) (out []*ast.File) {
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		f, err := parser.ParseFile(set, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err == nil {
			out = append(out, f)
		}
	}
	return out
}

// A setting is a field of a type, and the fields that make its default harmless.
type setting struct {
	pkg, of string
	fields  []string // the first is the setting itself
}

// newSetting reads a rule as rows have it: "/redis.Pool.MaxIdle".
func newSetting(m Module, rule string) setting {
	fields := strings.Fields(rule)
	folder := folderOf(fields[0])
	of, field, _ := strings.Cut(fields[0][len(folder)+1:], ".")
	return setting{m.Path + folder, of, append([]string{field}, fields[1:]...)}
}

// seen is what a file has of a setting.
type seen struct {
	literal           *ast.CompositeLit // that leaves it out
	mentioned, called bool
}

// look reads a file; name is that of the setting's package, calls are the functions of which one has to be called.
func (s *setting) look(f *ast.File, name string, calls []string) (out seen) {
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p == s.pkg && spec.Name != nil {
			name = spec.Name.Name
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			out.mentioned = out.mentioned || slices.Contains(s.fields, n.Sel.Name)
		case *ast.CallExpr:
			if fun, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(calls, fun.Sel.Name) {
				out.called = true
			}
		case *ast.CompositeLit:
			of, ok := n.Type.(*ast.SelectorExpr)
			if !ok || of.Sel.Name != s.of || !isName(of.X, name) {
				return true
			}
			if s.leftOut(n) {
				out.literal = n
			} else {
				out.mentioned = true // somebody has thought of it
			}
		}
		return true
	})
	return out
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// leftOut reports whether a literal names none of the fields.
func (s *setting) leftOut(l *ast.CompositeLit) bool {
	for _, e := range l.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok || slices.ContainsFunc(s.fields, func(name string) bool { return isName(pair.Key, name) }) {
			return false // without keys all fields are set
		}
	}
	return true
}
