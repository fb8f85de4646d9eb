package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// each yields the nodes of one type in a package.
func each[N ast.Node](u *Unit) iter.Seq2[inspector.Cursor, N] { return below[N](u.root) }

// below yields the nodes of one type within a node, itself included.
func below[N ast.Node](cur inspector.Cursor) iter.Seq2[inspector.Cursor, N] {
	return syntax.Below[N](cur)
}

func (u *Unit) line(p token.Pos) int { return u.Fset.PositionFor(p, false).Line }

func (u *Unit) lines(n ast.Node) Lines {
	return Lines{u.Fset.File(n.Pos()).Name(), u.line(n.Pos()), u.line(n.End())}
}

func (u *Unit) file(p token.Pos) *ast.File {
	for _, f := range u.Files {
		if f.FileStart <= p && p <= f.FileEnd {
			return f
		}
	}
	return nil
}

// text is the source of a node.
func (u *Unit) text(n ast.Node) string {
	f := u.Fset.File(n.Pos())
	return string(u.Source[f.Name()][f.Offset(n.Pos()):f.Offset(n.End())])
}

// indent is the white space before a node's line.
func (u *Unit) indent(n ast.Node) string {
	f := u.Fset.File(n.Pos())
	src := u.Source[f.Name()]
	from := f.Offset(f.LineStart(u.line(n.Pos())))
	to := from
	for to < len(src) && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	return string(src[from:to])
}

// Functions are the lines of the declared function that has a line.
func (u *Unit) Functions(file string, line int) (out []Lines) {
	for _, d := range u.around(file, line) {
		out = append(out, u.lines(d))
	}
	return out
}

// around yields the declared function that has a line.
func (u *Unit) around(file string, line int) iter.Seq2[inspector.Cursor, *ast.FuncDecl] {
	return func(yield func(inspector.Cursor, *ast.FuncDecl) bool) {
		for cur, d := range each[*ast.FuncDecl](u) {
			if l := u.lines(d); l.Has(file, line) && !yield(cur, d) {
				return
			}
		}
	}
}

// Called are the lines of the package's functions that the function around a line calls.
func (u *Unit) Called(file string, line int) (out []Lines) {
	for cur := range u.around(file, line) {
		for _, id := range below[*ast.Ident](cur) {
			fn, ok := u.Info.Uses[id].(*types.Func)
			if !ok || fn.Pkg() != u.Pkg {
				continue
			}
			if decl := u.declared(fn); decl != nil {
				out = append(out, u.lines(decl))
			}
		}
	}
	return out
}

// Callers are the lines of the package's functions that call the function around a line.
func (u *Unit) Callers(file string, line int) (out []Lines) {
	var called types.Object
	for _, d := range u.around(file, line) {
		called = u.Info.Defs[d.Name]
	}
	for cur, id := range each[*ast.Ident](u) {
		if fn, ok := u.Info.Uses[id].(*types.Func); !ok || called == nil || fn.Origin() != called {
			continue
		}
		if d := declaration(cur); d != nil {
			out = append(out, u.lines(d))
		}
	}
	return out
}

// declared is the declaration of a function of the package.
func (u *Unit) declared(fn *types.Func) *ast.FuncDecl {
	for _, d := range each[*ast.FuncDecl](u) {
		if u.Info.Defs[d.Name] == fn.Origin() {
			return d
		}
	}
	return nil
}

func (u *Unit) isConversion(call *ast.CallExpr) bool { return u.Info.Types[call.Fun].IsType() }

func isFunc(fn *types.Func, path string, names ...string) bool {
	return syntax.IsFunc(fn, path, names...)
}

func isError(t types.Type) bool { return syntax.IsError(t) }

func isMethod(fn *types.Func, path, typ string, names ...string) bool {
	return syntax.IsMethod(fn, path, typ, names...)
}

func isNamed(t types.Type, path, name string) bool { return syntax.IsNamed(t, path, name) }

func isString(t types.Type) bool { return t != nil && types.Identical(t, types.Typ[types.String]) }

// statement is the statement of a list that a node is in.
func statement(cur inspector.Cursor) (inspector.Cursor, bool) {
	for ; cur.Node() != nil; cur = cur.Parent() {
		switch cur.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			return cur, true
		}
	}
	return inspector.Cursor{}, false
}

func function(cur inspector.Cursor) (inspector.Cursor, bool) { return syntax.Function(cur) }
func loop(cur inspector.Cursor) (inspector.Cursor, bool)     { return syntax.Loop(cur) }
func declaration(cur inspector.Cursor) *ast.FuncDecl         { return syntax.Declaration(cur) }
func body(f inspector.Cursor) *ast.BlockStmt                 { return syntax.Body(f) }
func lower(name string) string                               { return syntax.Lower(name) }

// isPath reports whether an expression is x or x.y.z: naming it again costs nothing and means the same.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	}
	return false
}

// changedInPackage reports whether a package variable may get another value: it is exported, assigned or its address
// is taken.
func (u *Unit) changedInPackage(obj types.Object) bool {
	return obj.Exported() || u.Changes(u.root, obj)
}

// leaves reports whether statements end by leaving the function, or the process.
func (u *Unit) leaves(list []ast.Stmt) bool {
	switch s := syntax.Last(list).(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && (u.Builtin(call) == "panic" || isFunc(u.Callee(call), "log", "Fatal", "Fatalf", "Fatalln") ||
			isFunc(u.Callee(call), "os", "Exit"))
	}
	return false
}

// isNilCheck reports whether a statement is if err != nil { … } for a variable, and what it does then.
func (u *Unit) isNilCheck(s ast.Node, err types.Object) (*ast.IfStmt, bool) {
	i, ok := s.(*ast.IfStmt)
	if !ok || i.Init != nil {
		return nil, false
	}
	b, ok := i.Cond.(*ast.BinaryExpr)
	return i, ok && b.Op == token.NEQ && u.IsUse(b.X, err) && u.IsNil(b.Y)
}

// fixed reports whether an expression means the same whenever it is worked out: it mentions no variable, and calls
// nothing but functions of other packages whose arguments are as fixed.
func (u *Unit) fixed(cur inspector.Cursor) bool {
	if u.MentionsLocals(cur) {
		return false
	}
	for _, id := range below[*ast.Ident](cur) {
		switch obj := u.Info.ObjectOf(id).(type) {
		case *types.Var:
			if !obj.IsField() {
				return false // a flag is not parsed yet when package variables are made
			}
		case *types.Func:
			if obj.Pkg() == u.Pkg {
				return false // it may read a file anew each time
			}
		}
	}
	return true
}

// fresh is a name that is free in the package and in all functions of it.
func (u *Unit) fresh(want string) string {
	taken := make(map[string]bool)
	for id := range u.Info.Defs {
		taken[id.Name] = true
	}
	for id := range u.Info.Uses {
		taken[id.Name] = true
	}
	name := syntax.Numbered(want, func(name string) bool {
		return taken[name] || u.names[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil
	})
	u.names[name] = true
	return name
}

// freshIn is a name for a variable of a function: one that it does not use, nor the package.
func (u *Unit) freshIn(f inspector.Cursor, want string) string {
	return syntax.Numbered(want, func(name string) bool {
		return u.Pkg.Scope().Lookup(name) != nil || u.file(f.Node().Pos()) == nil || u.imports(f.Node(), name) ||
			syntax.Some(f.Node(), func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && id.Name == name })
	})
}

// imports reports whether the file of a node calls an import so.
func (u *Unit) imports(at ast.Node, name string) bool {
	s := u.Info.Scopes[u.file(at.Pos())]
	return s != nil && s.Lookup(name) != nil
}

// before reports whether the file of a node is written for a Go older than this one.
func (u *Unit) before(n ast.Node, release string) bool {
	return syntax.Before(u.Info, u.file(n.Pos()), release)
}

// name is how the file of a node calls a package, "" if it does not import it or uses a dot.
func (u *Unit) name(at ast.Node, path string) string {
	for _, imp := range u.file(at.Pos()).Imports {
		if strings.Trim(imp.Path.Value, `"`) != path {
			continue
		}
		if imp.Name == nil {
			return lastName(path)
		}
		if imp.Name.Name != "_" && imp.Name.Name != "." {
			return imp.Name.Name
		}
	}
	return ""
}

// pkg is how a change may call a package at a node: as the file does, otherwise by its own name, which must be free
// there. "" means that it cannot.
func (u *Unit) pkg(at ast.Node, path string) string {
	if name := u.name(at, path); name != "" {
		return name
	}
	name := lastName(path)
	inner := u.Pkg.Scope().Innermost(at.Pos())
	if inner == nil {
		return ""
	}
	if _, obj := inner.LookupParent(name, at.Pos()); obj != nil || u.Pkg.Scope().Lookup(name) != nil {
		return ""
	}
	return name
}

// above is where a declaration may be put above the function that a node is in.
func above(d *ast.FuncDecl) token.Pos {
	if d.Doc != nil {
		return d.Doc.Pos()
	}
	return d.Pos()
}
