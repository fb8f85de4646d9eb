package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

func function(cur inspector.Cursor) (inspector.Cursor, bool) { return syntax.Function(cur) }
func loop(cur inspector.Cursor) (inspector.Cursor, bool)     { return syntax.Loop(cur) }
func declaration(cur inspector.Cursor) *ast.FuncDecl         { return syntax.Declaration(cur) }
func body(f inspector.Cursor) *ast.BlockStmt                 { return syntax.Body(f) }
func (u *unit) signature(f inspector.Cursor) *types.Signature {
	return syntax.Signature(u.TypesInfo, f)
}
func (u *unit) same(a, b ast.Expr) bool { return syntax.Same(u.TypesInfo, a, b) }
func (u *unit) changes(in inspector.Cursor, obj types.Object) bool {
	return syntax.Changes(u.TypesInfo, in, obj)
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

// root is the variable that x, x.y, *x, x[i] or &x begins with, or nil.
func (u *unit) root(e ast.Expr) types.Object { return syntax.Root(u.TypesInfo, e) }

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
