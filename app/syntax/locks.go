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
func (w *LockWalk) Walk(body *ast.BlockStmt) { w.flow().List(body.List, Held{}) }

func (w *LockWalk) flow() *Flow[Held] {
	return &Flow[Held]{Step: w.step, See: w.See, Join: both, Then: w.Then}
}

func (w *LockWalk) step(s ast.Stmt, h Held) (after Held, ends bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return w.expr(s, h)
	case *ast.DeferStmt:
		return w.deferred(s, h), false
	case *ast.GoStmt, *ast.BranchStmt:
	default:
		w.See(s, h)
	}
	return h, false
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
		w.flow().List(lit.Body.List, h)
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
