package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var lockHeld = check("lockheld", findLockHeld, `report locks that others wait for

What is done between Lock and Unlock is done by one goroutine at a time. Where others queue for that, shorten it, split
what the lock guards, or give each goroutine its own part.

It counts only with heat: by the waiting that mutex profiles blame on the lines from the Lock to the Unlock, where it is a
good part of all waiting, someone waits noticeably often, and what is done there takes CPU. Reported are locks of which
no other check says what is wrong under them. Not reported: RLock; sections that call nothing, which nobody can shorten;
and what runs once.`)

func findLockHeld(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if _, alone := cur.Parent().Node().(*ast.ExprStmt); !ok || !alone || !isMutex(u.callee(call), "Lock") {
			continue
		}
		f, inside := function(cur)
		if !inside || u.runsOnce(cur) {
			continue
		}
		w := &lockWalk{unit: u, body: body(f)}
		name := types.ExprString(sel.X)
		end := w.until(name, call)
		if !u.callsWithin(f, call.End(), end) {
			continue
		}
		u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: "others wait for " + name + ", which is held from here: hold it for less, or split what it guards",
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: end, Message: name + " is held here"}}})
	}
}

// callsWithin reports whether anything is called between two places of a function but locks, builtins and conversions: a
// section that sets a field or an entry of a map is as short as it gets.
func (u *unit) callsWithin(f inspector.Cursor, from, to token.Pos) bool {
	for cur, call := range below[*ast.CallExpr](f) {
		kind, _ := u.conversion(call)
		if call.Pos() < from || to <= call.Pos() || kind != nil || u.builtin(call) != "" || startsLater(cur) ||
			isMutex(u.callee(call), "Lock", "RLock", "Unlock", "RUnlock") {
			continue
		}
		return true
	}
	return false
}
