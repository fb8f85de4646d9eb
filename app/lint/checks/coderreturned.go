package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// returned reports a compressor that a function makes and returns, alone or in something around it, to functions of the
// package that keep it in a variable of theirs. It makes its tables when these write to it, whatever they wrap it in, so
// that all of them behind the call is related. The answer is whether it is such a one.
func (u *unit) returned(cur inspector.Cursor, call *ast.CallExpr, c coder) bool {
	related := u.usersOf(cur, call)
	if related == nil {
		return false
	}
	u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name, Message: c.madeEachTime(),
		Related: related})
	return true
}

// usersOf is where a compressor is made that its function returns, and where the functions of the package use it that
// call this one; nil where one of them does anything else with it.
func (u *unit) usersOf(cur inspector.Cursor, call *ast.CallExpr) []analysis.RelatedInformation {
	f, ok := function(cur)
	if !ok {
		return nil
	}
	d, isDecl := f.Node().(*ast.FuncDecl)
	if !isDecl || !u.leavesBy(cur, f) || u.hasPool(f) {
		return nil
	}
	fn, _ := u.TypesInfo.Defs[d.Name].(*types.Func)
	users := u.callers(fn)
	if len(users) == 0 {
		return nil
	}
	related := []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: "is made here"}}
	for _, use := range users {
		in, ok := function(use)
		v := u.assigned(use)
		if !ok || v == nil || v.Kind() != types.LocalVar || u.runsOnce(use) || u.resets(in, v) {
			return nil
		}
		related = append(related, analysis.RelatedInformation{Pos: use.Node().Pos(), End: in.Node().End(),
			Message: "is used from here"})
	}
	return related
}

// leavesBy reports whether a value is returned by its function: there, by a variable, or in a literal that is returned.
func (u *unit) leavesBy(cur, f inspector.Cursor) bool {
	if isReturned(cur) {
		return true
	}
	v := u.assigned(cur)
	if v == nil || v.Kind() != types.LocalVar {
		return false
	}
	return slices.ContainsFunc(u.uses(f, v), isReturned)
}

// isReturned reports whether an expression is what a return statement gives back, or a part of the literal that it does.
func isReturned(cur inspector.Cursor) bool {
	for ; ; cur = cur.Parent() {
		switch cur.Parent().Node().(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.ParenExpr:
		default:
			return false
		}
	}
}

// hasPool reports whether a function takes something of a sync.Pool: what it makes then is for the pool.
func (u *unit) hasPool(f inspector.Cursor) bool {
	for _, call := range below[*ast.CallExpr](f) {
		if isMethod(u.callee(call), "sync", "Pool", "Get", "Put") {
			return true
		}
	}
	return false
}

// callers are the calls of a function in its package; nil where it is used in another way, too.
func (u *unit) callers(fn *types.Func) (calls []inspector.Cursor) {
	if fn == nil {
		return nil
	}
	for cur, id := range each[*ast.Ident](u) {
		if u.TypesInfo.Uses[id] != fn {
			continue
		}
		if cur.ParentEdgeKind() == edge.SelectorExpr_Sel {
			cur = cur.Parent()
		}
		if cur.ParentEdgeKind() != edge.CallExpr_Fun {
			return nil
		}
		calls = append(calls, cur.Parent())
	}
	return calls
}
