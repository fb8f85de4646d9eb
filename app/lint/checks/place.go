package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// function is the innermost function that a node is in, and whether there is one.
func function(cur inspector.Cursor) (inspector.Cursor, bool) {
	for f := range cur.Parent().Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f, true
	}
	return inspector.Cursor{}, false
}

// body is the block of a function.
func body(f inspector.Cursor) *ast.BlockStmt {
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		return f.Body
	case *ast.FuncLit:
		return f.Body
	}
	return nil
}

// signature is the type of a function.
func (u *unit) signature(f inspector.Cursor) *types.Signature {
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		if fn, ok := u.TypesInfo.Defs[f.Name].(*types.Func); ok {
			return fn.Signature()
		}
	case *ast.FuncLit:
		if s, ok := u.TypesInfo.TypeOf(f).(*types.Signature); ok {
			return s
		}
	}
	return nil
}

// declaration is the function declaration that a node is in, or nil.
func declaration(cur inspector.Cursor) *ast.FuncDecl {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		return f.Node().(*ast.FuncDecl)
	}
	return nil
}

// loop is the innermost loop of the same function that runs a node again and again.
func loop(cur inspector.Cursor) (inspector.Cursor, bool) {
	for child, up := cur, cur.Parent(); up.Node() != nil; child, up = up, up.Parent() {
		switch up.Node().(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return inspector.Cursor{}, false
		case *ast.RangeStmt:
			if child.ParentEdgeKind() == edge.RangeStmt_Body {
				return up, true
			}
		case *ast.ForStmt:
			if child.ParentEdgeKind() != edge.ForStmt_Init {
				return up, true
			}
		}
	}
	return inspector.Cursor{}, false
}

// outlives reports whether an expression's value goes directly where it lives longer than the call: into a field, an
// element, a package variable, or to the caller.
func (u *unit) outlives(cur inspector.Cursor) bool {
	for ; ; cur = cur.Parent() {
		switch p := cur.Parent().Node().(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			continue
		case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit:
			return true
		case *ast.CallExpr:
			return u.builtin(p) == "append"
		case *ast.AssignStmt:
			i := cur.ParentEdgeIndex()
			if len(p.Lhs) != len(p.Rhs) {
				i = 0
			}
			return cur.ParentEdgeKind() == edge.AssignStmt_Rhs && u.lives(p.Lhs[i])
		}
		return false
	}
}

// lives reports whether what is assigned to an expression outlives the function.
func (u *unit) lives(lhs ast.Expr) bool {
	id, ok := ast.Unparen(lhs).(*ast.Ident)
	if !ok {
		return true
	}
	obj := u.TypesInfo.ObjectOf(id)
	return obj != nil && obj.Parent() == u.Pkg.Scope()
}

// assigned is the local variable that an expression's value goes to, in x := e, x, err := e, x = e or var x = e.
func (u *unit) assigned(cur inspector.Cursor) *types.Var {
	return syntax.Assigned(u.TypesInfo, u.Pkg, cur)
}

// uses lists where a variable is mentioned within a node, its definition left out.
func (u *unit) uses(in inspector.Cursor, obj types.Object) []inspector.Cursor {
	return syntax.Uses(u.TypesInfo, in, obj)
}

// isUse reports whether an expression is a mention of obj.
func (u *unit) isUse(e ast.Expr, obj types.Object) bool { return syntax.IsUse(u.TypesInfo, e, obj) }

// same reports whether two expressions name the same variable or field of it: x, x.y.z.
func (u *unit) same(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	switch a := a.(type) {
	case *ast.Ident:
		b, ok := b.(*ast.Ident)
		return ok && u.TypesInfo.ObjectOf(a) != nil && u.TypesInfo.ObjectOf(a) == u.TypesInfo.ObjectOf(b)
	case *ast.SelectorExpr:
		b, ok := b.(*ast.SelectorExpr)
		return ok && a.Sel.Name == b.Sel.Name && u.same(a.X, b.X)
	}
	return false
}

// root is the variable that x, x.y, *x, x[i] or &x begins with, or nil.
func (u *unit) root(e ast.Expr) types.Object { return syntax.Root(u.TypesInfo, e) }

// changes reports whether a variable may get another value within a node: it is assigned, counted, or its address is
// taken.
func (u *unit) changes(in inspector.Cursor, obj types.Object) bool {
	for _, use := range u.uses(in, obj) {
		switch kind := use.ParentEdgeKind(); kind {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return true
		case edge.UnaryExpr_X:
			if use.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
				return true
			}
		}
	}
	return false
}

// serves reports whether a function handles requests: it gets an http.Request, or, as gRPC's do, a context and a
// pointer to a message, and answers with a pointer and an error.
func (u *unit) serves(f inspector.Cursor) bool {
	sig := u.signature(f)
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if isNamed(v.Type(), "net/http", "Request") || isNamed(v.Type(), "net/http", "ResponseWriter") ||
			isNamed(v.Type(), "github.com/gin-gonic/gin", "Context") {
			return true
		}
	}
	return false
}

// cold reports whether a node is on the way out of a function by an error, a panic or the end of the process: within
// the arguments of panic, log.Fatal, errors.New, or of a call that makes the error which is returned.
func (u *unit) cold(cur inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.CallExpr)(nil)) {
		call := up.Node().(*ast.CallExpr)
		fn := u.callee(call)
		if u.builtin(call) == "panic" || isFunc(fn, "log", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf") ||
			isFunc(fn, "errors", "New", "Join") || isFunc(fn, "fmt", "Errorf") || isFunc(fn, "os", "Exit") {
			return true
		}
	}
	n := cur.Node()
	for up := range cur.Enclosing((*ast.ReturnStmt)(nil)) {
		for _, r := range up.Node().(*ast.ReturnStmt).Results {
			within := r != n && r.Pos() <= n.Pos() && n.End() <= r.End()
			if t := u.TypesInfo.TypeOf(r); within && t != nil && makesError(t) {
				return true
			}
		}
	}
	return false
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// makesError reports whether a type is an error, or one's own kind of it.
func makesError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}
