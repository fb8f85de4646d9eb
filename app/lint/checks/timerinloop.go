package checks

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

var timerInLoop = check("timerinloop", findTimerInLoop, `report timers and tickers that a loop makes in each turn

Since Go 1.23 the collector takes a timer that nobody refers to, so that nothing piles up; but each turn still allocates
200 bytes in three objects and starts a timer. Make one time.Timer before the loop, and Reset it.

It counts only with heat. Not reported: what goes into a field, an element or to the caller, because each has its own;
a turn that surely leaves the loop; and what runs once. Code for Go before 1.23 has afterinloop and staticcheck's SA1015.`)

func findTimerInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "time", "After", "NewTimer", "NewTicker", "Tick") || u.before(cur, "go1.23") {
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
