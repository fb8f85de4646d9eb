package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var afterInLoop = check("afterinloop", findAfterInLoop, `report time.After in a select in a loop, in code for Go before 1.23

Each turn starts a timer of 200 bytes that the collector cannot take until it fires, also when another case of the
select was ready: 10,000 messages a second with a timeout of a minute keep 120 MB. Make one time.Timer and Reset it.

Since Go 1.23 a timer that nobody refers to is collected, unless GODEBUG has asynctimerchan=1: files of such a version
are not reported. (It is the main module's version that counts, and this asks the file's own.) time.Tick is
staticcheck's SA1015. Not reported: a select whose other cases all leave the loop, and constants below a second.`)

func findAfterInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.Callee(call), "time", "After") || !u.before(cur, "go1.23") || u.momentary(call.Args[0]) {
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
		return mine.Comm != nil && mine.Comm.End() >= cur.Node().End() && l.Contains(up) &&
			!u.leavesAfter(up.Parent().Parent(), l) &&
			slices.ContainsFunc(syntax.Others(up), func(other *ast.CommClause) bool { return !ends(other.Body) })
	}
	return false
}

// ends reports whether statements end by leaving the function.
func ends(list []ast.Stmt) bool {
	switch s := syntax.Last(list).(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK && s.Label != nil
	}
	return false
}

var timerInLoop = check("timerinloop", findTimerInLoop, `report timers and tickers that a loop makes in each turn

Since Go 1.23 the collector takes a timer that nobody refers to, so that nothing piles up; but each turn still allocates
200 bytes in three objects and starts a timer. Make one time.Timer before the loop, and Reset it.

It counts only with heat. Not reported: what goes into a field, an element or to the caller, because each has its own;
a turn that surely leaves the loop; and what runs once. Code for Go before 1.23 has afterinloop and staticcheck's SA1015.`)

func findTimerInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.Callee(call), "time", "After", "NewTimer", "NewTicker", "Tick") || u.before(cur, "go1.23") {
			continue
		}
		l, again := loop(cur)
		if !again || u.leavesAfter(outOfSelect(cur), l) || u.shortLoop(l) || u.runsOnce(cur) || u.outlives(cur) || u.kept(cur) {
			continue
		}
		u.report(call, "each turn makes a timer: make one time.Timer before the loop, and Reset it")
	}
}

// outOfSelect is the select of which a node is what a case waits for, or the node itself: that runs whichever case does.
func outOfSelect(cur inspector.Cursor) inspector.Cursor {
	for up := range cur.Enclosing((*ast.CommClause)(nil), (*ast.FuncLit)(nil)) {
		if c, ok := up.Node().(*ast.CommClause); ok && c.Comm != nil && within(c.Comm, cur.Node().Pos()) {
			return up.Parent().Parent()
		}
		break
	}
	return cur
}
