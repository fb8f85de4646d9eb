package settle

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// A lock is a mutex that is held.
type lock struct {
	name     string // "s.mu", as the source writes it
	at       *ast.CallExpr
	deferred bool // a defer unlocks it
}

// held are the locks that are held, by their names.
type held map[string]lock

// outermost is the lock that was taken first.
func (h held) outermost() (first lock) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if l := h[name]; first.at == nil || l.at.Pos() < first.at.Pos() {
			first = l
		}
	}
	return first
}

// A heldWalk follows the statements of a function, and tells see of each statement's nodes with what is held there.
type heldWalk struct {
	*unit
	see func(n ast.Node, h held)
}

// walkHeld walks a function.
func (u *unit) walkHeld(body *ast.BlockStmt, see func(n ast.Node, h held)) {
	w := &heldWalk{u, see}
	w.list(body.List, held{})
}

// mutexCall reports what a call does with a mutex: the name of the mutex and the method, or "".
func (u *unit) mutexCall(call *ast.CallExpr) (name, does string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) > 0 {
		return "", ""
	}
	c := u.callee(call)
	is := c.method("sync", "Mutex", "Lock", "Unlock") || c.method("sync", "RWMutex", "Lock", "Unlock", "RLock",
		"RUnlock")
	if c.fn == nil { // by its name, where types do not say
		is = slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, c.name) && c.path == ""
	}
	if !is {
		return "", ""
	}
	return types.ExprString(sel.X), c.name
}

func (w *heldWalk) list(list []ast.Stmt, h held) (after held, ends bool) {
	for _, s := range list {
		if h, ends = w.stmt(s, h); ends {
			return h, true
		}
	}
	return h, false
}

func (w *heldWalk) stmt(s ast.Stmt, h held) (after held, ends bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			switch name, does := w.mutexCall(call); does {
			case "Lock", "RLock":
				w.see(call, h)
				h = maps.Clone(h)
				h[name] = lock{name: name, at: call}
				return h, false
			case "Unlock", "RUnlock":
				h = maps.Clone(h)
				delete(h, name)
				return h, false
			}
			if w.builtin(call) == "panic" {
				w.look(s, h)
				return h, true
			}
		}
		w.look(s, h)
	case *ast.DeferStmt:
		return w.deferred(s, h), false
	case *ast.GoStmt:
	case *ast.BlockStmt:
		return w.list(s.List, h)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, h)
	case *ast.ReturnStmt:
		w.look(s, h)
		return h, true
	case *ast.BranchStmt:
		return h, true
	case *ast.IfStmt:
		return w.branches(s, h)
	case *ast.ForStmt:
		w.see(s, h)
		w.lookAll(h, s.Init, s.Post)
		if s.Cond != nil {
			w.look(s.Cond, h)
		}
		return w.blocks(h, [][]ast.Stmt{s.Body.List}, true), false
	case *ast.RangeStmt:
		w.see(s, h)
		w.look(s.X, h)
		return w.blocks(h, [][]ast.Stmt{s.Body.List}, true), false
	case *ast.SwitchStmt:
		w.lookAll(h, s.Init)
		if s.Tag != nil {
			w.look(s.Tag, h)
		}
		return w.blocks(h, clauses(s.Body), true), false
	case *ast.TypeSwitchStmt:
		return w.blocks(h, clauses(s.Body), true), false
	case *ast.SelectStmt:
		w.see(s, h)
		return w.blocks(h, clauses(s.Body), false), false
	default:
		w.look(s, h)
	}
	return h, false
}

// deferred notes the locks that a defer unlocks.
func (w *heldWalk) deferred(s *ast.DeferStmt, h held) held {
	calls := []*ast.CallExpr{s.Call}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		calls = within[*ast.CallExpr](lit.Body, nil)
	}
	h = maps.Clone(h)
	for _, call := range calls {
		name, does := w.mutexCall(call)
		if l, ok := h[name]; ok && (does == "Unlock" || does == "RUnlock") {
			l.deferred = true
			h[name] = l
		}
	}
	return h
}

func (w *heldWalk) branches(s *ast.IfStmt, h held) (after held, ends bool) {
	if s.Init != nil {
		h, _ = w.stmt(s.Init, h)
	}
	w.look(s.Cond, h)
	then, thenEnds := w.list(s.Body.List, h)
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

// blocks walks blocks of which one runs, or none where that is possible.
func (w *heldWalk) blocks(h held, blocks [][]ast.Stmt, none bool) held {
	out := held(nil)
	if none {
		out = h
	}
	for _, b := range blocks {
		after, ends := w.list(b, h)
		switch {
		case ends:
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

// both is what is held on two ways that meet.
func both(a, b held) held {
	out := held{}
	for name, l := range a {
		if _, ok := b[name]; ok {
			out[name] = l
		}
	}
	return out
}

func clauses(b *ast.BlockStmt) (all [][]ast.Stmt) {
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			all = append(all, c.Body)
		case *ast.CommClause:
			body := c.Body
			if c.Comm != nil {
				body = append([]ast.Stmt{c.Comm}, body...)
			}
			all = append(all, body)
		}
	}
	return all
}

func (w *heldWalk) lookAll(h held, stmts ...ast.Stmt) {
	for _, s := range stmts {
		if s != nil {
			w.look(s, h)
		}
	}
}

// look shows the nodes of a statement or an expression without blocks of its own.
func (w *heldWalk) look(n ast.Node, h held) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			w.see(n, h)
		}
		return true
	})
}
