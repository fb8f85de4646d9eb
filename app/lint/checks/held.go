package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// held has the Lock of each mutex that is held, by the mutex's name in the source.
type held map[string]*ast.CallExpr

// both keeps what is held on two ways that meet.
func both(a, b held) held {
	out := held{}
	for k, lock := range a {
		if b[k] != nil {
			out[k] = lock
		}
	}
	return out
}

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
	w.list(body.List, held{})
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

// list walks statements, and answers what is held behind them; ends means that nothing comes behind them.
func (w *lockWalk) list(list []ast.Stmt, h held) (after held, ends bool) {
	for _, s := range list {
		if h, ends = w.stmt(s, h); ends {
			return h, true
		}
	}
	return h, false
}

func (w *lockWalk) stmt(s ast.Stmt, h held) (after held, ends bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return w.expr(s, h)
	case *ast.BlockStmt:
		return w.list(s.List, h)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, h)
	case *ast.ReturnStmt, *ast.BranchStmt:
		w.look(s, h)
		return h, true
	case *ast.GoStmt, *ast.DeferStmt:
		return h, false
	case *ast.SendStmt:
		w.send(s, h)
	case *ast.IfStmt:
		return w.branches(s, h)
	case *ast.ForStmt:
		if s.Init != nil {
			w.look(s.Init, h)
		}
		if s.Cond != nil {
			w.look(s.Cond, h)
		}
		return w.inner(h, true, s.Body.List), s.Cond == nil && !leaves(s.Body)
	case *ast.RangeStmt:
		w.look(s.X, h)
		w.walkOver(s, h)
		if isChan(w.TypesInfo.TypeOf(s.X)) && !w.stops && w.works == nil {
			w.complain(s.X, h, "ranges over a channel")
		}
		return w.inner(h, true, s.Body.List), false
	case *ast.SwitchStmt:
		if s.Tag != nil {
			w.look(s.Tag, h)
		}
		return w.inner(h, true, clauses(s.Body)...), false
	case *ast.TypeSwitchStmt:
		return w.inner(h, true, clauses(s.Body)...), false
	case *ast.SelectStmt:
		if !hasDefault(s) && !w.stops && w.works == nil {
			w.complain(keyword{s.Select, "select"}, h, "waits in a select")
		}
		return w.inner(h, false, clauses(s.Body)...), false
	default:
		w.look(s, h)
	}
	return h, false
}

// expr walks a call that stands alone: Lock, Unlock, panic or another.
func (w *lockWalk) expr(s *ast.ExprStmt, h held) (after held, ends bool) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		w.look(s, h)
		return h, false
	}
	fn := w.callee(call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch lit, isLit := ast.Unparen(call.Fun).(*ast.FuncLit); {
	case sel != nil && w.works != nil && isMutex(fn, "RLock"): // readers go on
	case sel != nil && isMutex(fn, "Lock", "RLock"):
		h = maps.Clone(h)
		h[types.ExprString(sel.X)] = call
	case sel != nil && isMutex(fn, "Unlock", "RUnlock"):
		h = maps.Clone(h)
		delete(h, types.ExprString(sel.X))
	case isLit:
		w.list(lit.Body.List, h)
	case w.builtin(call) == "panic" || isFunc(fn, "os", "Exit"):
		return h, true
	default:
		w.look(s, h)
	}
	return h, false
}

func (w *lockWalk) branches(s *ast.IfStmt, h held) (after held, ends bool) {
	if s.Init != nil {
		h, _ = w.stmt(s.Init, h)
	}
	w.look(s.Cond, h)
	if w.asksError(s.Cond) {
		w.quiet++ // what went wrong is cleared up: that is rare
	}
	then, thenEnds := w.list(s.Body.List, h)
	if w.asksError(s.Cond) {
		w.quiet--
	}
	other, otherEnds := h, false
	if s.Else != nil {
		other, otherEnds = w.stmt(s.Else, h)
	}
	switch {
	case thenEnds:
		return other, otherEnds
	case otherEnds:
		return then, false
	}
	return both(then, other), false
}

// inner walks blocks of which one runs, or none when that is possible, and answers what is held after any of them.
func (w *lockWalk) inner(h held, none bool, blocks ...[]ast.Stmt) held {
	var out held
	if none {
		out = h
	}
	for _, b := range blocks {
		after, ends := w.list(b, h)
		switch {
		case ends && !jumps(b):
		case out == nil:
			out = after
		default:
			out = both(out, after)
		}
	}
	if out == nil {
		return h
	}
	return out
}

// jumps reports whether statements end in break or continue: they go on behind the block, and not out of the function.
func jumps(list []ast.Stmt) bool {
	_, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok
}

func clauses(b *ast.BlockStmt) (all [][]ast.Stmt) {
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			all = append(all, c.Body)
		case *ast.CommClause:
			all = append(all, c.Body)
		}
	}
	return all
}

func hasDefault(s *ast.SelectStmt) bool {
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm == nil {
			return true
		}
	}
	return false
}
