package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var capturedVar = check("capturedvar", findCapturedVar, `report variables that move to the heap because a function literal captures them by reference

A literal gets a copy of a variable that is assigned once and has at most 128 bytes. A variable that is assigned again
is shared: when the literal outlives the call, each run of the declaration allocates it, beside the literal
(cmd/compile/internal/escape; "captured together" in docs/evidence/lab.md). Give the literal a copy, as an argument or
by v := v.

It counts only with heat, at the declaration, where a profile has the bytes. Reported are literals that a goroutine runs,
or that go into a field, a slice, a channel, a timer or to the caller. Not reported: what the literal itself changes,
what is assigned after the literal or whose address is taken, because these are meant to be shared; and what runs once.`)

func findCapturedVar(u *unit) {
	seen := make(map[*types.Var]bool)
	for cur, lit := range each[*ast.FuncLit](u) {
		home, ok := function(cur)
		if !ok || !u.escapes(cur) || u.runsOnce(cur) {
			continue
		}
		for _, id := range below[*ast.Ident](cur) {
			v, ok := u.TypesInfo.Uses[id].(*types.Var)
			if !ok || seen[v] || v.IsField() || within(lit, v.Pos()) || !within(home.Node(), v.Pos()) {
				continue
			}
			seen[v] = true
			if u.moves(home, cur, v) {
				u.report(keyword{v.Pos(), v.Name()}, fmt.Sprintf("%s moves to the heap: it is assigned again, and a "+
					"function literal that outlives the call captures it; give the literal a copy", v.Name()))
			}
		}
	}
}

func within(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at < n.End() }

// escapes reports whether a function literal goes where it lives longer than the call, as far as can be seen.
func (u *unit) escapes(lit inspector.Cursor) bool {
	call, ok := lit.Parent().Node().(*ast.CallExpr)
	if !ok {
		_, sent := lit.Parent().Node().(*ast.SendStmt)
		return sent || u.outlives(lit)
	}
	if lit.ParentEdgeKind() == edge.CallExpr_Fun {
		_, started := lit.Parent().Parent().Node().(*ast.GoStmt)
		return started
	}
	fn := u.callee(call)
	return u.builtin(call) == "append" || isFunc(fn, "time", "AfterFunc") || isFunc(fn, "context", "AfterFunc") ||
		isMethod(fn, "golang.org/x/sync/errgroup", "Group", "Go") || isMethod(fn, "sync", "WaitGroup", "Go")
}

// moves reports whether a variable of a function is on the heap only because of how a literal captures it: it is
// assigned again before the literal is made, and not by it.
func (u *unit) moves(home, lit inspector.Cursor, v *types.Var) bool {
	again := false
	for _, cur := range u.uses(home, v) {
		at, kind := u.part(cur)
		if kind == ofPointerMethod {
			return false
		}
		if kind == ofPointee || !isWritten(at) {
			continue
		}
		if p, ok := at.Parent().Node().(*ast.UnaryExpr); ok && p.Op == token.AND || at.Node().Pos() >= lit.Node().Pos() {
			return false
		}
		if _, slice := at.Parent().Node().(*ast.SliceExpr); slice {
			continue
		}
		again = true
	}
	return again && !u.madeBy(home, lit, v)
}

// madeBy reports whether the statement that a literal is in assigns the variable: t = time.AfterFunc(d, func() { t… }).
func (u *unit) madeBy(home, lit inspector.Cursor, v *types.Var) bool {
	for s := range lit.Enclosing((*ast.AssignStmt)(nil)) {
		if s.Node().Pos() < home.Node().Pos() {
			return false
		}
		for _, lhs := range s.Node().(*ast.AssignStmt).Lhs {
			if u.root(lhs) == v {
				return true
			}
		}
	}
	return false
}
