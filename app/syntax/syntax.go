// Package syntax has the questions about typed syntax that analyzers (app/lint/checks) and rewriters (app/fix/rewrite)
// ask alike: what a call names, where a value goes, who mentions a variable; and how profiles name a function (names.go).
package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Below lists the nodes of a type at and below a cursor, in the order of the source.
func Below[N ast.Node](cur inspector.Cursor) iter.Seq2[inspector.Cursor, N] {
	return func(yield func(inspector.Cursor, N) bool) {
		var zero N
		for c := range cur.Preorder(zero) {
			if !yield(c, c.Node().(N)) {
				return
			}
		}
	}
}

// Some reports whether something holds of a node, or of one below it.
func Some(root ast.Node, holds func(ast.Node) bool) (some bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		some = some || n != nil && holds(n)
		return !some
	})
	return some
}

// Callee is the function or method that a call names, or nil: a conversion, a builtin, a variable.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// Builtin is the name of the builtin that is called, or "".
func Builtin(info *types.Info, call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// Assigned is the local variable that an expression's value goes to, in x := e, x, err := e, x = e or var x = e; nil if
// there is none.
func Assigned(info *types.Info, pkg *types.Package, cur inspector.Cursor) *types.Var {
	var id *ast.Ident
	switch p := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
			return nil
		}
		i := cur.ParentEdgeIndex()
		if len(p.Lhs) != len(p.Rhs) {
			i = 0
		}
		id, _ = p.Lhs[i].(*ast.Ident)
	case *ast.ValueSpec:
		if i := cur.ParentEdgeIndex(); cur.ParentEdgeKind() == edge.ValueSpec_Values && i < len(p.Names) {
			id = p.Names[i]
		}
	}
	if id == nil || id.Name == "_" {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	if v == nil || v.Parent() == pkg.Scope() {
		return nil
	}
	return v
}

// Uses lists where a variable is mentioned within a node, its definition left out.
func Uses(info *types.Info, in inspector.Cursor, obj types.Object) (all []inspector.Cursor) {
	for cur, id := range Below[*ast.Ident](in) {
		if info.Uses[id] == obj {
			all = append(all, cur)
		}
	}
	return all
}

// IsUse reports whether an expression is a mention of obj.
func IsUse(info *types.Info, e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && obj != nil && info.ObjectOf(id) == obj
}

// MentionsLocals reports whether a node mentions what only its function has.
func MentionsLocals(info *types.Info, pkg *types.Package, cur inspector.Cursor) bool {
	for _, id := range Below[*ast.Ident](cur) {
		obj := info.ObjectOf(id)
		switch obj := obj.(type) {
		case nil:
			return true
		case *types.PkgName:
			continue
		case *types.Var:
			if obj.IsField() {
				continue
			}
		case *types.Func:
			if obj.Signature().Recv() != nil {
				continue
			}
		}
		if obj.Pkg() == pkg && obj.Parent() != pkg.Scope() {
			return true
		}
	}
	return false
}

// Root is the variable that x, x.y, *x, x[i] or &x begins with, or nil.
func Root(info *types.Info, e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return info.ObjectOf(x)
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// A Typed is a package with its types: who embeds it has the questions of this package as methods.
type Typed struct {
	Info *types.Info
	Pkg  *types.Package
}

// Callee is the function or method that a call names, or nil: a conversion, a builtin, a variable.
func (t *Typed) Callee(call *ast.CallExpr) *types.Func { return Callee(t.Info, call) }

// Builtin is the name of the builtin that is called, or "".
func (t *Typed) Builtin(call *ast.CallExpr) string { return Builtin(t.Info, call) }

// Assigned is the local variable that an expression's value goes to, in x := e, x, err := e, x = e or var x = e.
func (t *Typed) Assigned(cur inspector.Cursor) *types.Var { return Assigned(t.Info, t.Pkg, cur) }

// Uses lists where a variable is mentioned within a node, its definition left out.
func (t *Typed) Uses(in inspector.Cursor, obj types.Object) []inspector.Cursor {
	return Uses(t.Info, in, obj)
}

// IsUse reports whether an expression is a mention of obj.
func (t *Typed) IsUse(e ast.Expr, obj types.Object) bool { return IsUse(t.Info, e, obj) }

// Root is the variable that x, x.y, *x, x[i] or &x begins with, or nil.
func (t *Typed) Root(e ast.Expr) types.Object { return Root(t.Info, e) }

// Signature is the type of a function.
func (t *Typed) Signature(f inspector.Cursor) *types.Signature { return Signature(t.Info, f) }

// Same reports whether two expressions name the same variable or field of it.
func (t *Typed) Same(a, b ast.Expr) bool { return Same(t.Info, a, b) }

// Changes reports whether a variable may get another value within a node.
func (t *Typed) Changes(in inspector.Cursor, obj types.Object) bool { return Changes(t.Info, in, obj) }

// MentionsLocals reports whether a node mentions what only its function has.
func (t *Typed) MentionsLocals(cur inspector.Cursor) bool { return MentionsLocals(t.Info, t.Pkg, cur) }

// Text is the value of a constant string.
func (t *Typed) Text(e ast.Expr) (string, bool) { return Text(t.Info, e) }

// IsConstant reports whether an expression has a value that the compiler knows.
func (t *Typed) IsConstant(e ast.Expr) bool { return t.Info.Types[e].Value != nil }

// IsNil reports whether an expression is nil.
func (t *Typed) IsNil(e ast.Expr) bool { return t.Info.Types[e].IsNil() }

// Object is the variable, field or parameter that an expression names.
func (t *Typed) Object(e ast.Expr) types.Object { return Object(t.Info, e) }

// All reports whether something holds of every use of a variable in a node.
func (t *Typed) All(in inspector.Cursor, v types.Object, holds func(use inspector.Cursor) bool) bool {
	return !slices.ContainsFunc(t.Uses(in, v), func(use inspector.Cursor) bool { return !holds(use) })
}

// Local is the variable of the function around it that an expression's value goes to, and that function; nil for its
// results and parameters, and for what is of a function further out.
func (t *Typed) Local(cur inspector.Cursor) (f inspector.Cursor, v *types.Var) {
	f, ok := Function(cur)
	if v = t.Assigned(cur); !ok || v == nil || v.Kind() != types.LocalVar || !Within(f.Node(), v.Pos()) {
		return f, nil
	}
	return f, v
}

// Within reports whether a position is in a node.
func Within(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at < n.End() }

// Given is what a statement gives a variable, and nothing else: v := e, v = e, var v = e; nil of var v T.
func (t *Typed) Given(s ast.Node, v types.Object) (value ast.Expr, ok bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 && t.IsUse(s.Lhs[0], v) {
			return s.Rhs[0], true
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && len(d.Specs) == 1 {
			return t.Given(d.Specs[0], v)
		}
	case *ast.ValueSpec:
		if len(s.Names) != 1 || !t.IsUse(s.Names[0], v) {
			return nil, false
		}
		if len(s.Values) == 0 {
			return nil, true
		}
		return s.Values[0], true
	}
	return nil, false
}
