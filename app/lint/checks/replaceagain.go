package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

var replaceAgain = check("replaceagain", findReplaceAgain, `report texts that strings.ReplaceAll goes through once for each of many pairs

Each pass reads the whole text, and copies it where anything fits. A strings.Replacer of all pairs goes through it once.
It looks at each place once, too: where a pair matches what another one has made, the result is another.

It counts only with heat. Reported are ReplaceAll, and Replace, of strings and bytes whose result takes the place of what
it is given, in a loop, or three times and more in a function, and three and more within one another. Not reported: one
or two pairs, loops over texts, and what runs once.`)

// manyPairs is how many passes are more than one of a Replacer, with the look-ups that it makes.
const manyPairs = 3

func findReplaceAgain(u *unit) {
	const message = "each pair goes through the whole text again: make one strings.NewReplacer of all pairs, once if they are " +
		"fixed, where no pair matches what another one makes"
	passes := make(map[*types.Var][]*ast.CallExpr)
	for cur, call := range each[*ast.CallExpr](u) {
		if !u.replaces(call) || u.runsOnce(cur) {
			continue
		}
		v := u.assigned(cur)
		if v == nil || !u.isUse(call.Args[0], v) {
			if !u.isReplaced(cur) && u.passesWithin(call) >= manyPairs {
				u.report(call, message)
			}
			continue
		}
		if l, in := loop(cur); in && (v.Pos() < l.Node().Pos() || l.Node().End() <= v.Pos()) {
			u.report(call, message)
			continue
		}
		passes[v] = append(passes[v], call)
	}
	for _, calls := range passes {
		for _, call := range calls {
			if len(calls) >= manyPairs {
				u.report(call, message)
			}
		}
	}
}

func (u *unit) replaces(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := u.callee(call)
	return isFunc(fn, "strings", "ReplaceAll", "Replace") || isFunc(fn, "bytes", "ReplaceAll", "Replace")
}

// isReplaced reports whether a call's result is what another pass goes through at once.
func (u *unit) isReplaced(cur inspector.Cursor) bool {
	up, ok := cur.Parent().Node().(*ast.CallExpr)
	return ok && u.replaces(up) && up.Args[0] == cur.Node()
}

// passesWithin is how many passes are within one another.
func (u *unit) passesWithin(call *ast.CallExpr) int {
	n := 1
	for u.replaces(call.Args[0]) {
		call, _ = ast.Unparen(call.Args[0]).(*ast.CallExpr)
		n++
	}
	return n
}
