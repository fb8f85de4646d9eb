package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
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
			u.MentionsLocals(cur) || u.callsAny(lit) || !u.isTable(cur) {
			continue
		}
		u.report(lit, "this map is filled anew at every call, always with the same: make it once, in a package variable, or "+
			"use a switch", u.hoist(cur, "Table")...)
	}
}

// callsAny reports whether a literal has calls, conversions left out, or functions in it: these may answer differently.
func (u *unit) callsAny(lit *ast.CompositeLit) bool {
	return some(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !u.TypesInfo.Types[n.Fun].IsType()
		case *ast.FuncLit:
			return true
		case *ast.Ident:
			v, ok := u.TypesInfo.Uses[n].(*types.Var)
			return ok && !v.IsField() && v.Pkg() == u.Pkg && v.Parent() == u.Pkg.Scope() && u.isSet(v)
		}
		return false
	})
}

// isSet reports whether the package sets a variable of its own behind its declaration.
func (u *unit) isSet(v *types.Var) bool {
	return v.Exported() || slices.ContainsFunc(u.files, func(f inspector.Cursor) bool { return u.Changes(f, v) })
}

// isTable reports whether a map is indexed or ranged over where it stands, or by a variable that is only that.
func (u *unit) isTable(cur inspector.Cursor) bool { return u.isOnly(cur, u.looksInto) }

// isOnly reports whether an expression is used so where it stands, or the variable of its function that it is given to
// at every use, of which there are some.
func (u *unit) isOnly(cur inspector.Cursor, so func(inspector.Cursor) bool) bool {
	f, v := u.Local(cur)
	return so(cur) || v != nil && len(u.Uses(f, v)) > 0 && u.All(f, v, so)
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
		return u.Builtin(p) == "len"
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

var constMap = check("constmap", findConstMap, `report maps of constants that are made to be given to a call

A map literal is made anew at each pass, also where its entries are the same each time, as the tags of a metric are: 300
bytes or more for the first.

It counts only with heat, by what making the map takes. Reported are literals with nothing but constants as keys and
values that are an argument of a call. Not reported: empty ones, what the call is asked to keep in a field, and what runs
once.`)

func findConstMap(u *unit) {
	for cur, lit := range each[*ast.CompositeLit](u) {
		if _, ok := u.under(lit).(*types.Map); !ok || len(lit.Elts) == 0 || cur.ParentEdgeKind() != edge.CallExpr_Args ||
			u.runsOnce(cur) || u.cold(cur) || !u.allConstant(lit) {
			continue
		}
		u.report(lit, "this map has the same entries at each pass: make it once, in a package variable, if nobody changes it")
	}
}

// allConstant reports whether the compiler knows all keys and values of a map literal.
func (u *unit) allConstant(lit *ast.CompositeLit) bool {
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		return !ok || !u.IsConstant(kv.Key) || !u.IsConstant(kv.Value)
	})
}

var makeConst = check("makeconst", findMakeConst, `report large slices and maps of a constant size that a function makes at every call

A make clears what it allocates and brings the next collection nearer: 64 kB cost 31 µs, 1 kB costs 0.6 µs
(BenchmarkCost/make), however little of it is used. Size it by the data, or keep it in a sync.Pool.

It counts only with heat: whether the size fits its use is not in the source. Reported are slices of 16 kB and maps of
1,024 entries or more. Not reported: what outlives the call in a field or by return, what a sync.Pool makes, and what
runs once.`)

const (
	largeSlice = 16 << 10 // bytes
	largeMap   = 1024     // entries
)

func findMakeConst(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.Builtin(call) != "make" || len(call.Args) < 2 {
			continue
		}
		n, ok := constant.Int64Val(constant.ToInt(value(u, call.Args[len(call.Args)-1])))
		if !ok || u.runsOnce(cur) || u.outlives(cur) || u.kept(cur) {
			continue
		}
		switch t := u.under(call).(type) {
		case *types.Slice:
			if size := n * u.TypesSizes.Sizeof(t.Elem()); size >= largeSlice {
				u.report(call, fmt.Sprintf("%d kB at every call: size it by the data, or keep it in a sync.Pool", size>>10))
			}
		case *types.Map:
			if n >= largeMap {
				u.report(call, fmt.Sprintf("room for %d entries at every call: size it by the data", n))
			}
		}
	}
}

// value is an expression's constant value, or one that is not an integer.
func value(u *unit, e ast.Expr) constant.Value {
	if v := u.TypesInfo.Types[e].Value; v != nil {
		return v
	}
	return constant.MakeUnknown()
}

// kept reports whether a value goes into a variable that outlives the call, or belongs to a pool's New.
func (u *unit) kept(cur inspector.Cursor) bool {
	f, ok := function(cur)
	v := u.Assigned(cur)
	return !ok || u.inPool(f) || v != nil && !u.All(f, v, func(use inspector.Cursor) bool {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		return ok && u.Builtin(call) == "append" || !u.outlives(use)
	})
}
