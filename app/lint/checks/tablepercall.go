package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var tablePerCall = check("tablepercall", findTablePerCall, `report maps of constants that a function fills again at every call, to look something up

A map literal in a function is no constant: each call allocates it and hashes all of its keys. To look up one of 20
words allocates 936 bytes so, and takes forty times as long as with a map that was made once
(BenchmarkCostAgain/table).

Reported are literals of four entries or more, of which nothing depends on the call, and that the function only reads:
it indexes them or ranges over them. Not reported: what is returned, stored, given to others or changed, and what runs
once.`)

// fewEntries is how many entries a map may have that is not reported: with up to eight it needs one group, which the
// compiler may put on the stack, and yet is filled at each call.
const fewEntries = 4

func findTablePerCall(u *unit) {
	for cur, lit := range each[*ast.CompositeLit](u) {
		if _, ok := u.under(lit).(*types.Map); !ok || len(lit.Elts) < fewEntries || u.runsOnce(cur) ||
			u.mentionsLocals(cur) || u.callsAny(lit) || !u.isTable(cur) {
			continue
		}
		u.report(lit, "this map is filled anew at every call, always with the same: make it once, in a package variable, or "+
			"use a switch", u.hoist(cur, "Table")...)
	}
}

// callsAny reports whether a literal has calls, conversions left out, or functions in it: these may answer differently.
func (u *unit) callsAny(lit *ast.CompositeLit) (some bool) {
	ast.Inspect(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			some = some || !u.TypesInfo.Types[n.Fun].IsType()
		case *ast.FuncLit:
			some = true
		case *ast.Ident:
			v, ok := u.TypesInfo.Uses[n].(*types.Var)
			some = some || ok && !v.IsField() && v.Pkg() == u.Pkg && v.Parent() == u.Pkg.Scope() && u.isSet(v)
		}
		return !some
	})
	return some
}

// isSet reports whether the package sets a variable of its own behind its declaration.
func (u *unit) isSet(v *types.Var) bool {
	for _, f := range u.files {
		if u.changes(f, v) {
			return true
		}
	}
	return v.Exported()
}

// isTable reports whether a map is indexed or ranged over where it stands, or by a variable that is only that.
func (u *unit) isTable(cur inspector.Cursor) bool { return u.isOnly(cur, u.looksInto) }

// isOnly reports whether an expression is used so where it stands, or the variable of its function that it is given to
// at every use, of which there are some.
func (u *unit) isOnly(cur inspector.Cursor, so func(inspector.Cursor) bool) bool {
	v := u.assigned(cur)
	f, ok := function(cur)
	if so(cur) || v == nil || !ok || v.Kind() != types.LocalVar || !within(f.Node(), v.Pos()) {
		return so(cur)
	}
	uses := u.uses(f, v)
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(use inspector.Cursor) bool { return !so(use) })
}

// looksInto reports whether a map is only looked into by the expression or the statement around it.
func (u *unit) looksInto(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.IndexExpr:
		index := cur.Parent()
		return cur.ParentEdgeKind() == edge.IndexExpr_X && index.ParentEdgeKind() != edge.AssignStmt_Lhs &&
			index.ParentEdgeKind() != edge.IncDecStmt_X && isValue(u.TypesInfo.TypeOf(p))
	case *ast.RangeStmt:
		return cur.ParentEdgeKind() == edge.RangeStmt_X
	case *ast.CallExpr:
		return u.builtin(p) == "len"
	case *ast.ParenExpr:
		return u.looksInto(cur.Parent())
	}
	return false
}

// isValue reports whether who got an element of a table cannot change the table by it: texts, numbers, structs and
// functions.
func isValue(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer, *types.Chan:
		return false
	case *types.Tuple:
		return t.Len() > 0 && isValue(t.At(0).Type())
	}
	return true
}
