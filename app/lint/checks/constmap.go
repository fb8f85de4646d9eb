package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

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
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || !u.constant(kv.Key) || !u.constant(kv.Value) {
			return false
		}
	}
	return true
}
