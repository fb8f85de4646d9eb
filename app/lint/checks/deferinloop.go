package checks

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var deferInLoop = check("deferinloop", findDeferInLoop, `report defer in a loop: the calls pile up until the function ends

Files, rows, bodies and timers stay open for all turns of the loop, and such a defer takes 23 ns instead of 2.5 ns
(BenchmarkCost/defer). Call it at the end of the turn, or move the turn into a function.

Not reported: a turn that surely leaves the loop, loops over a few constants, mutexes of several shards that are meant
to be held together, calls with arguments that do not sound like giving something back, and what runs once. (go-critic's
deferInLoop, which is not of its performance set, reports these, too; staticcheck reports loops without an end.)`)

func findDeferInLoop(u *unit) {
	for cur, d := range each[*ast.DeferStmt](u) {
		l, ok := loop(cur)
		if !ok || !u.releases(d.Call) || u.leavesAfter(cur, l) || u.shortLoop(l) || u.runsOnce(l) {
			continue
		}
		u.report(d, "this runs only when the function ends, once for each turn of the loop: end it in the turn, or make "+
			"the turn a function")
	}
}

// releases reports whether a deferred call gives something back. It does when it has no arguments, as Close and cancel,
// and by some names; other work may be meant to wait for the end.
func (u *unit) releases(call *ast.CallExpr) bool {
	fn := u.callee(call)
	if isMutex(fn, "Unlock", "RUnlock") {
		return false
	}
	if len(call.Args) == 0 {
		return true
	}
	if fn == nil {
		return false
	}
	w := words(fn.Name())
	return slices.Contains([]string{"close", "put", "remove", "release", "free", "stop", "rollback"}, w[0])
}

// leavesAfter reports whether the block of a statement, or one around it within the loop, ends by leaving the loop.
func (u *unit) leavesAfter(cur, l inspector.Cursor) bool {
	for up := cur; up != l; up = up.Parent() {
		list := syntax.List(up.Node())
		if len(list) == 0 {
			continue
		}
		switch last := list[len(list)-1].(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			if last.Tok.String() == "break" || last.Tok.String() == "goto" {
				return true
			}
		case *ast.ExprStmt:
			if call, ok := last.X.(*ast.CallExpr); ok && u.builtin(call) == "panic" {
				return true
			}
		}
	}
	return false
}

// shortLoop reports whether a loop is over a literal: as many turns as somebody wrote.
func (u *unit) shortLoop(l inspector.Cursor) bool {
	r, ok := l.Node().(*ast.RangeStmt)
	if !ok {
		return false
	}
	_, literal := ast.Unparen(r.X).(*ast.CompositeLit)
	return literal
}
