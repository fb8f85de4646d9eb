package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"time"
)

// long is a deadline that bounds nothing for who waits.
const long = time.Minute

// A response is the variable of an HTTP response, with where it comes from.
type response struct {
	obj  types.Object
	err  types.Object // of the call; may be nil
	call *ast.CallExpr
	in   *ast.AssignStmt
}

// responses are those that the place's function gets; the one of the place's line first.
func (p *place) responses() (out []response) {
	for _, a := range within[*ast.AssignStmt](p.body, nil) {
		if len(a.Lhs) != 2 || len(a.Rhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok || !p.ofType(a.Lhs[0], "net/http", "Response") {
			continue
		}
		r := response{p.object(a.Lhs[0]), p.object(a.Lhs[1]), call, a}
		if p.spans(a, p.frame.Line) {
			out = slices.Insert(out, 0, r)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// lifeOfBody is the life of a response's body.
func (p *place) lifeOfBody(r response) lifetime {
	l := lifetime{begin: r.in, call: r.call, obj: r.obj, err: r.err, name: "the body",
		end: text(r.in.Lhs[0]) + ".Body.Close()"}
	l.ends = func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Close" {
			return false
		}
		body, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
		return ok && body.Sel.Name == "Body" && p.object(body.X) == r.obj
	}
	l.hands = func(up []ast.Node) bool {
		sel, field := up[1].(*ast.SelectorExpr)
		if !field { // the response itself: a call, a return, an assignment
			b, compared := up[1].(*ast.BinaryExpr)
			return !compared || b.Op != token.EQL && b.Op != token.NEQ
		}
		if sel.Sel.Name != "Body" || len(up) < 3 {
			return false
		}
		switch x := up[2].(type) {
		case *ast.CallExpr: // the standard library reads it and leaves it open; others are not known
			return len(p.bodies(x)) > 0
		case *ast.SelectorExpr:
			return false
		}
		return true
	}
	return l
}

// bodyLeft answers whether the body is closed on each way out.
func bodyLeft(q *inquiry) []answer {
	for _, p := range q.places {
		if rs := p.responses(); len(rs) > 0 {
			r := rs[0]
			w := p.follow(p.body, p.lifeOfBody(r))
			if w.gone || len(w.left) == 0 {
				return nil
			}
			return p.leftOpen(w, "the body open of the response that "+p.ref(r.call.Pos())+" gets")
		}
	}
	return nil
}

// bodyDone answers where a body is closed on each way out, and read to its end where connections are not used again.
func bodyDone(q *inquiry) []answer {
	for _, p := range q.places {
		if rs := p.responses(); len(rs) > 0 {
			r := rs[0]
			l := p.lifeOfBody(r)
			w := p.follow(p.body, l)
			if w.gone || len(w.left) > 0 {
				return nil
			}
			if q.finding.Kind == "connection-leak" {
				return p.contradicts(fmt.Sprintf("the body of the response of %s is closed on each way out of %s",
					p.ref(r.call.Pos()), p.decl.Name.Name), append(w.ended, r.call.Pos())...)
			}
			l.ends = func(n ast.Node) bool { return p.readsAll(n, r) }
			if w = p.follow(p.body, l); w.gone || len(w.left) > 0 || len(w.ended) == 0 {
				return nil
			}
			return p.adds(fmt.Sprintf("the body of the response of %s is read to its end (%s), and closed",
				p.ref(r.call.Pos()), p.ref(w.ended[0])), append(w.ended, r.call.Pos())...)
		}
	}
	return nil
}

// readsAll reports whether a node is a call that reads the body of a response to its end.
func (p *place) readsAll(n ast.Node, r response) bool {
	call, ok := n.(*ast.CallExpr)
	return ok && p.callee(call).is("io", "ReadAll", "Copy", "CopyBuffer") &&
		slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Body" && p.object(sel.X) == r.obj
		})
}

// clientKept answers where the client of a call is kept, in a variable of its package or a field, and nothing of the
// package that runs more than once sets it.
func clientKept(q *inquiry) []answer {
	for _, p := range q.places {
		if rs := p.responses(); len(rs) > 0 {
			r := rs[0]
			sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
			if !ok || p.asksToClose() != nil {
				return nil
			}
			v, ok := p.object(sel.X).(*types.Var)
			if !ok || p.local(v) || slices.ContainsFunc(p.valuesOf(v), func(e ast.Expr) bool {
				d := p.declared(e)
				again := func(c *ast.CallExpr) bool { return p.runsOnce(c) == "" }
				return d != nil && (d == p.decl || slices.ContainsFunc(p.callsOf(d), again))
			}) {
				return nil
			}
			return p.adds(fmt.Sprintf("the client of the call at %s is kept in %s", p.ref(r.call.Pos()), text(sel.X)),
				r.call.Pos())
		}
	}
	return nil
}

// connections looks for why connections are not used again.
func connections(q *inquiry) []answer {
	for _, p := range q.places {
		for _, r := range p.responses() {
			if w := p.follow(p.body, p.lifeOfBody(r)); !w.gone && len(w.left) > 0 {
				return p.leftOpen(w, "the body open of the response that "+p.ref(r.call.Pos())+
					" gets: its connection is not used again")
			}
			if a := p.notRead(r); a != nil {
				return a
			}
		}
		if a := p.asksToClose(); a != nil {
			return a
		}
	}
	return nil
}

// notRead answers if a body is closed and nothing reads it.
func (p *place) notRead(r response) []answer {
	reads := within(p.body, func(sel *ast.SelectorExpr) bool {
		if sel.Sel.Name != "Body" || p.object(sel.X) != r.obj {
			return false
		}
		up := p.outward(sel)
		s, ok := up[1].(*ast.SelectorExpr)
		return !ok || s.Sel.Name != "Close"
	})
	passed := within(p.body, func(id *ast.Ident) bool {
		if p.info.Uses[id] != r.obj {
			return false
		}
		_, field := p.outward(id)[1].(*ast.SelectorExpr)
		return !field
	})
	if len(reads)+len(passed) > 0 {
		return nil
	}
	return p.confirms(fmt.Sprintf("nothing reads the body of the response that %s gets: its connection is used again "+
		"only if that was empty", p.ref(r.call.Pos())), r.call.Pos())
}

// asksToClose looks for settings that end a connection after its request.
func (p *place) asksToClose() []answer {
	for _, a := range within[*ast.AssignStmt](p.body, nil) {
		for i, lhs := range a.Lhs {
			sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Close" && p.ofType(sel.X, "net/http", "Request") && i < len(a.Rhs) &&
				text(a.Rhs[i]) == "true" {
				return p.confirms(fmt.Sprintf("%s = true at %s ends the connection after its request", text(lhs),
					p.ref(a.Pos())), a.Pos())
			}
		}
	}
	for _, kv := range everywhere[*ast.KeyValueExpr](p.unit, nil) {
		id, ok := kv.Key.(*ast.Ident)
		if ok && id.Name == "DisableKeepAlives" && text(kv.Value) == "true" {
			return p.confirms("DisableKeepAlives is set at "+p.ref(kv.Pos()), kv.Pos())
		}
	}
	return nil
}
