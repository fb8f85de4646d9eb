package checks

import (
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"
)

var afterInLoop = check("afterinloop", findAfterInLoop, `report time.After in a select in a loop, in code for Go before 1.23

Each turn starts a timer of 200 bytes that the collector cannot take until it fires, also when another case of the
select was ready: 10,000 messages a second with a timeout of a minute keep 120 MB. Make one time.Timer and Reset it.

Since Go 1.23 a timer that nobody refers to is collected, unless GODEBUG has asynctimerchan=1: files of such a version
are not reported. (It is the main module's version that counts, and this asks the file's own.) time.Tick is
staticcheck's SA1015. Not reported: a select whose other cases all leave the loop, and constants below a second.`)

func findAfterInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "time", "After") || !u.before(cur, "go1.23") || u.momentary(call.Args[0]) {
			continue
		}
		l, ok := loop(cur)
		if !ok || !u.losesTimer(cur, l) {
			continue
		}
		u.report(call, "each turn leaves a timer behind until it fires: make one time.Timer and Reset it")
	}
}

// momentary reports whether a duration is a constant below a second: what piles up in that time is little.
func (u *unit) momentary(e ast.Expr) bool {
	v := u.TypesInfo.Types[e].Value
	return v != nil && constant.Compare(v, token.LSS, constant.MakeInt64(1e9))
}

// losesTimer reports whether the timer is a case of a select of which another case goes on with the loop.
func (u *unit) losesTimer(cur, l inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.CommClause)(nil)) {
		mine := up.Node().(*ast.CommClause)
		if mine.Comm == nil || mine.Comm.End() < cur.Node().End() || !l.Contains(up) {
			return false
		}
		if u.leavesAfter(up.Parent().Parent(), l) {
			return false
		}
		for _, c := range up.Parent().Node().(*ast.BlockStmt).List {
			if other := c.(*ast.CommClause); other != mine && !ends(other.Body) {
				return true
			}
		}
		return false
	}
	return false
}

// ends reports whether statements end by leaving the function.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK && s.Label != nil
	}
	return false
}
