package syntax

import (
	"go/ast"
	"maps"
	"slices"
)

// A Lock is a mutex that is held.
type Lock struct {
	Name     string // "s.mu", as the source writes it
	At       *ast.CallExpr
	Deferred bool // a defer unlocks it
}

// Held are the locks that are held, by their names.
type Held map[string]Lock

// Outermost is the lock that was taken first.
func (h Held) Outermost() (first Lock) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if l := h[name]; first.At == nil || l.At.Pos() < first.At.Pos() {
			first = l
		}
	}
	return first
}

// A LockWalk follows the statements of a function with what they hold.
type LockWalk struct {
	// Does says what a call does with a mutex: its name, and Lock, RLock, Unlock or RUnlock; "" for any other call.
	Does func(*ast.CallExpr) (name, does string)
	// Ends reports whether nothing comes behind a call: panic.
	Ends func(*ast.CallExpr) bool
	// See gets each statement and expression that has no block of its own, and each for, range and select before its
	// blocks, with what is held there. It gets a Lock with what is held before, and no Unlock.
	See func(n ast.Node, h Held)
	// Then is called before the block that runs if a condition is true, and what it returns behind it; it may be nil.
	Then func(*ast.IfStmt) (behind func())
	// Literals has those walked that are called where they stand.
	Literals bool
}

// Walk follows a function's body.
func (w *LockWalk) Walk(body *ast.BlockStmt) { w.list(body.List, Held{}) }

// list walks statements, and answers what is held behind them; ends means that nothing comes behind them.
func (w *LockWalk) list(list []ast.Stmt, h Held) (after Held, ends bool) {
	for _, s := range list {
		if h, ends = w.stmt(s, h); ends {
			return h, true
		}
	}
	return h, false
}

func (w *LockWalk) stmt(s ast.Stmt, h Held) (after Held, ends bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return w.expr(s, h)
	case *ast.DeferStmt:
		return w.deferred(s, h), false
	case *ast.GoStmt:
	case *ast.BlockStmt:
		return w.list(s.List, h)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, h)
	case *ast.ReturnStmt:
		w.See(s, h)
		return h, true
	case *ast.BranchStmt:
		return h, true
	case *ast.IfStmt:
		return w.branches(s, h)
	case *ast.ForStmt:
		w.See(s, h)
		w.see(h, s.Init, s.Post)
		if s.Cond != nil {
			w.See(s.Cond, h)
		}
		return w.blocks(h, true, s.Body.List), s.Cond == nil && !Leaves(s.Body)
	case *ast.RangeStmt:
		w.See(s, h)
		w.See(s.X, h)
		return w.blocks(h, true, s.Body.List), false
	case *ast.SwitchStmt:
		w.see(h, s.Init)
		if s.Tag != nil {
			w.See(s.Tag, h)
		}
		return w.blocks(h, true, Clauses(s.Body)...), false
	case *ast.TypeSwitchStmt:
		return w.blocks(h, true, Clauses(s.Body)...), false
	case *ast.SelectStmt:
		w.See(s, h)
		return w.blocks(h, false, Clauses(s.Body)...), false
	default:
		w.See(s, h)
	}
	return h, false
}

func (w *LockWalk) see(h Held, stmts ...ast.Stmt) {
	for _, s := range stmts {
		if s != nil {
			w.See(s, h)
		}
	}
}

// expr walks a call that stands alone: Lock, Unlock, panic or another.
func (w *LockWalk) expr(s *ast.ExprStmt, h Held) (after Held, ends bool) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		w.See(s, h)
		return h, false
	}
	name, does := w.Does(call)
	lit, isLit := ast.Unparen(call.Fun).(*ast.FuncLit)
	switch {
	case does == "Unlock" || does == "RUnlock":
		h = maps.Clone(h)
		delete(h, name)
		return h, false
	case does != "":
		w.See(s, h)
		h = maps.Clone(h)
		h[name] = Lock{Name: name, At: call}
		return h, false
	case isLit && w.Literals:
		w.list(lit.Body.List, h)
		return h, false
	}
	w.See(s, h)
	return h, w.Ends(call)
}

// deferred notes the locks that a defer unlocks.
func (w *LockWalk) deferred(s *ast.DeferStmt, h Held) Held {
	h = maps.Clone(h)
	note := func(call *ast.CallExpr) {
		name, does := w.Does(call)
		if l, ok := h[name]; ok && (does == "Unlock" || does == "RUnlock") {
			l.Deferred = true
			h[name] = l
		}
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				note(call)
			}
			_, inner := n.(*ast.FuncLit)
			return !inner
		})
		return h
	}
	note(s.Call)
	return h
}

func (w *LockWalk) branches(s *ast.IfStmt, h Held) (after Held, ends bool) {
	if s.Init != nil {
		h, _ = w.stmt(s.Init, h)
	}
	w.See(s.Cond, h)
	behind := func() {}
	if w.Then != nil {
		behind = w.Then(s)
	}
	then, thenEnds := w.list(s.Body.List, h)
	behind()
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

// blocks walks blocks of which one runs, or none when that is possible, and answers what is held after any of them.
func (w *LockWalk) blocks(h Held, none bool, blocks ...[]ast.Stmt) Held {
	var out Held
	if none {
		out = h
	}
	for _, b := range blocks {
		after, ends := w.list(b, h)
		switch {
		case ends && !Jumps(b):
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

// both keeps what is held on two ways that meet.
func both(a, b Held) Held {
	out := Held{}
	for name, l := range a {
		if _, ok := b[name]; ok {
			out[name] = l
		}
	}
	return out
}

// Jumps reports whether statements end in break or continue: they go on behind the block, and not out of the function.
func Jumps(list []ast.Stmt) bool {
	_, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok
}

// Clauses are the bodies of a switch or a select.
func Clauses(b *ast.BlockStmt) (all [][]ast.Stmt) {
	for _, c := range b.List {
		all = append(all, List(c))
	}
	return all
}

// List are the statements of a block, or of a clause of a switch or a select; nil for other nodes.
func List(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// HasDefault reports whether a select does not wait.
func HasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
}

// Leaves reports whether a return, a break, a continue or a goto is in a node.
func Leaves(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}
