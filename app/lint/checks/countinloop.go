package checks

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

var countInLoop = check("countinloop", findCountInLoop, `report loops that add to an atomic number in each turn

An atomic addition takes 5 ns, and many times that where another processor adds to the same number, or to one beside it
in the same 64 bytes: the line of the cache goes from one to the other each time. A variable of the function's own takes
less than 1 ns.

It counts only with heat. Reported are the Add of sync/atomic's types and its functions Add… in loops over what is there:
a slice, a map, a text, a number, where nobody uses the result, and the number is not the loop's own. Not reported: loops
that receive or have no end, and what runs once.`)

func findCountInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(fn.Name(), "Add") ||
			cur.ParentEdgeKind() != edge.ExprStmt_X || u.runsOnce(cur) {
			continue
		}
		number := call.Fun
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
			number = sel.X
		} else if len(call.Args) > 0 {
			number = call.Args[0]
		}
		l, ok := loop(cur)
		if !ok {
			continue
		}
		switch l := l.Node().(type) {
		case *ast.ForStmt:
			if l.Cond == nil {
				continue
			}
		case *ast.RangeStmt:
			if _, receives := u.under(l.X).(*types.Chan); receives {
				continue
			}
		}
		if of := u.root(number); of == nil || l.Node().Pos() <= of.Pos() && of.Pos() < l.Node().End() {
			continue
		}
		u.report(call, "each turn of the loop adds to a number that others may have: add up in a variable, and add that "+
			"once after the loop")
	}
}
