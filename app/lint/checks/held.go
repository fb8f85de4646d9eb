package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gocasebook/casebook/app/syntax"
)

// A lockWalk follows the statements of a function with what they hold.
type lockWalk struct {
	*unit
	known map[*types.Func]reason
	rooms map[types.Object]room
	works map[*types.Func]reason // not nil: long computing counts, and not waiting
	quiet int                    // above 0, nothing is reported
	stops bool                   // the function ends something: it may wait for its goroutines
	body  *ast.BlockStmt
}

// walk follows a function's body.
func (w *lockWalk) walk(body *ast.BlockStmt) {
	w.body = body
	walk := syntax.LockWalk{Does: w.does, See: w.see, Then: w.then, Literals: true,
		Ends: func(call *ast.CallExpr) bool {
			return w.builtin(call) == "panic" || isFunc(w.callee(call), "os", "Exit")
		}}
	walk.Walk(body)
}

// does says what a call does with a mutex. Where work is looked for, readers go on and hold nothing.
func (w *lockWalk) does(call *ast.CallExpr) (name, does string) {
	fn := w.callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !isMutex(fn, "Lock", "RLock", "Unlock", "RUnlock") || w.works != nil && fn.Name() == "RLock" {
		return "", ""
	}
	return types.ExprString(sel.X), fn.Name()
}

func (w *lockWalk) see(n ast.Node, h syntax.Held) {
	waits := !w.stops && w.works == nil
	switch n := n.(type) {
	case *ast.ForStmt:
	case *ast.SendStmt:
		w.send(n, h)
	case *ast.RangeStmt:
		w.walkOver(n, h)
		if waits && isChan(w.TypesInfo.TypeOf(n.X)) {
			w.complain(n.X, h, "ranges over a channel")
		}
	case *ast.SelectStmt:
		if waits && !syntax.HasDefault(n) {
			w.complain(keyword{n.Select, "select"}, h, "waits in a select")
		}
	default:
		w.look(n, h)
	}
}

// then keeps quiet where something went wrong: that is cleared up, and rare.
func (w *lockWalk) then(s *ast.IfStmt) (behind func()) {
	if !w.asksError(s.Cond) {
		return func() {}
	}
	w.quiet++
	return func() { w.quiet-- }
}

// until is where a section ends that a Lock begins: behind the last Unlock of the mutex, or with the function when that
// is deferred.
func (w *lockWalk) until(name string, lock *ast.CallExpr) token.Pos {
	end := token.NoPos
	ast.Inspect(w.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			if w.isUnlock(n.Call, name) {
				end = w.body.End()
			}
			return false
		case *ast.CallExpr:
			if n.Pos() > lock.Pos() && w.isUnlock(n, name) {
				end = max(end, n.End())
			}
		}
		return true
	})
	if !end.IsValid() {
		return w.body.End()
	}
	return end
}

func (w *lockWalk) isUnlock(call *ast.CallExpr, name string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && isMutex(w.callee(call), "Unlock", "RUnlock") && types.ExprString(sel.X) == name
}
