package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// lockCall is a statement x.Lock() or the like, and x.
func (u *Unit) lockCall(s ast.Node, names ...string) (x ast.Expr, ok bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	return u.lockExpr(e.X, names...)
}

func (u *Unit) lockExpr(e ast.Expr, names ...string) (x ast.Expr, ok bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isPath(sel.X) {
		return nil, false
	}
	fn := u.Callee(call)
	return sel.X, isMethod(fn, "sync", "Mutex", names...) || isMethod(fn, "sync", "RWMutex", names...)
}

// unlock gives a lock back before a return that forgot it, where other ways out of the function do.
func unlock(u *Unit) (out changes) {
	for cur, s := range each[*ast.ExprStmt](u) {
		for lock, back := range map[string]string{"Lock": "Unlock", "RLock": "RUnlock"} {
			x, ok := u.lockCall(s, lock)
			f, inFunction := function(cur)
			if ok && inFunction {
				h := oneLock{Unit: u, f: f, at: cur, x: x, back: back}
				out = append(out, h.forgotten()...)
			}
		}
	}
	return out
}

// A oneLock is a lock that a function takes.
type oneLock struct {
	*Unit
	f, at inspector.Cursor // at is x.Lock()
	x     ast.Expr
	back  string // Unlock or RUnlock
}

func (h *oneLock) forgotten() (out changes) {
	given := false
	for cur, call := range below[*ast.CallExpr](h.f) {
		if x, ok := h.lockExpr(call, "Lock", "RLock", "TryLock", "TryRLock"); ok && h.Same(x, h.x) &&
			call != h.at.Node().(*ast.ExprStmt).X {
			return nil // it is taken again: the function may have been called with it
		}
		x, ok := h.lockExpr(call, "Unlock", "RUnlock")
		if !ok || !h.Same(x, h.x) {
			continue
		}
		if call.Pos() < h.at.Node().Pos() {
			return nil // the caller has the lock, and gets it back
		}
		if _, deferred := cur.Parent().Node().(*ast.DeferStmt); deferred {
			return nil
		}
		if g, _ := function(cur); g != h.f {
			return nil // a literal gives it back
		}
		given = true
	}
	if !given {
		return nil // it is meant to stay locked
	}
	for cur, ret := range below[*ast.ReturnStmt](h.f) {
		if g, _ := function(cur); g != h.f || ret.Pos() < h.at.Node().End() || !h.stillHeld(cur) {
			continue
		}
		c := h.change(ret, "give the lock back before this return")
		c.cures(h.at.Node())
		c.before(ret, h.text(h.x)+"."+h.back+"()")
		out.add(c)
	}
	return out
}

// stillHeld reports whether a return is reached from the Lock, and no statement between them gives the lock back. What
// a branch may do between them counts as giving it back: then nothing is certain.
func (h *oneLock) stillHeld(ret inspector.Cursor) bool {
	at, ok := statement(ret)
	for ok {
		for s := at; ; {
			prev, more := s.PrevSibling()
			if !more || prev.ParentEdgeKind() != s.ParentEdgeKind() {
				break
			}
			s = prev
			if s == h.at {
				return true
			}
			if h.gives(s) {
				return false
			}
		}
		if at.Parent().Node() == body(h.f) {
			return false
		}
		at, ok = statement(at.Parent())
	}
	return false
}

// gives reports whether a statement gives the lock back on a way that goes on behind it.
func (h *oneLock) gives(s inspector.Cursor) bool {
	for cur, call := range below[*ast.CallExpr](s) {
		x, ok := h.lockExpr(call, h.back)
		if !ok || !h.Same(x, h.x) {
			continue
		}
		at, ok := statement(cur)
		if !ok || at == s {
			return true
		}
		for last := at; ; {
			next, more := last.NextSibling()
			if !more || next.ParentEdgeKind() != last.ParentEdgeKind() {
				if _, leaves := last.Node().(*ast.ReturnStmt); !leaves {
					return true
				}
				break
			}
			last = next
		}
	}
	return false
}

// broadcast wakes all who wait on a sync.Cond: each looks at its condition again, in a loop.
func broadcast(u *Unit) (out changes) {
	for _, call := range each[*ast.CallExpr](u) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !isMethod(u.Callee(call), "sync", "Cond", "Signal") {
			continue
		}
		field := u.fieldOf(sel.X)
		if field == nil {
			continue
		}
		if field.Exported() {
			out.add(u.refuse(call, "other packages may wait on it"))
			continue
		}
		c := u.change(call, "wake all who wait")
		c.replace(sel.Sel.Pos(), sel.Sel.End(), "Broadcast")
		looped := true
		for wait, w := range each[*ast.CallExpr](u) {
			s, ok := w.Fun.(*ast.SelectorExpr)
			if !ok || !isMethod(u.Callee(w), "sync", "Cond", "Wait") || u.fieldOf(s.X) != field {
				continue
			}
			c.cures(w)
			_, again := loop(wait)
			looped = looped && again
		}
		if !looped {
			out.add(u.refuse(call, "a Wait is not in a loop: who wakes does not look at its condition again"))
			continue
		}
		out.add(c)
	}
	return out
}

// fieldOf is the variable or field that an expression names last.
func (u *Unit) fieldOf(e ast.Expr) *types.Var {
	v, _ := syntax.Object(u.Info, e).(*types.Var)
	return v
}

// idleLock takes an RWMutex out that is only ever locked for reading, which excludes nobody.
func idleLock(u *Unit) (out changes) {
	for cur, field := range each[*ast.Field](u) {
		if !isNamed(u.Info.TypeOf(field.Type), "sync", "RWMutex") || len(field.Names) != 1 {
			continue
		}
		if _, inStruct := cur.Parent().Parent().Node().(*ast.StructType); !inStruct {
			continue
		}
		v, ok := u.Info.Defs[field.Names[0]].(*types.Var)
		if !ok || !v.IsField() || v.Exported() {
			continue
		}
		out.add(u.idle(field, v))
	}
	return out
}

// idle takes out all that a package does with a mutex, if that is only locking it for reading.
func (u *Unit) idle(field *ast.Field, v *types.Var) *Change {
	c := u.change(field, "take out "+v.Name()+", which nobody locks for writing: reading together needs no lock")
	n := 0
	for cur, id := range each[*ast.Ident](u) {
		if u.Info.Uses[id] != v {
			continue
		}
		sel := cur
		if cur.ParentEdgeKind() == edge.SelectorExpr_Sel {
			sel = cur.Parent()
		}
		method, ok := sel.Parent().Node().(*ast.SelectorExpr)
		if !ok || method.Sel.Name != "RLock" && method.Sel.Name != "RUnlock" || !isPath(method.X) {
			return nil
		}
		call := sel.Parent().Parent()
		switch call.Parent().Node().(type) {
		case *ast.ExprStmt, *ast.DeferStmt:
		default:
			return nil
		}
		if s, ok := statement(call); !ok || s != call.Parent() {
			return nil
		}
		c.cures(call.Parent().Node())
		if f, ok := function(call); ok {
			c.cures(body(f))
		}
		c.remove(call.Parent().Node())
		n++
	}
	if n == 0 {
		return nil
	}
	if u.keyed(v) {
		c.remove(field)
	}
	return c
}

// keyed reports whether no literal of the package lists the fields of a field's struct by their order.
func (u *Unit) keyed(v *types.Var) bool {
	for _, lit := range each[*ast.CompositeLit](u) {
		t := u.Info.TypeOf(lit)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok || len(lit.Elts) == 0 {
			continue
		}
		if _, keys := lit.Elts[0].(*ast.KeyValueExpr); keys {
			continue
		}
		for f := range s.Fields() {
			if f == v || f.Origin() == v {
				return false
			}
		}
	}
	return true
}
