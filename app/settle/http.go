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

func longText(ns int64) string { return time.Duration(ns).String() }

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

// A bodyWalk follows a response's body to the ways out of the function.
type bodyWalk struct {
	*unit
	r      response
	begun  bool
	left   []token.Pos // ways out on which it is not closed
	gone   bool        // somebody else has it
	closes []token.Pos
}

// follow walks the statements of the function that has the response.
func (p *place) follow(r response) *bodyWalk {
	w := &bodyWalk{unit: p.unit, r: r}
	closed, ends := w.list(p.body.List, false)
	if !ends && !closed && w.begun {
		w.left = append(w.left, p.body.Rbrace)
	}
	return w
}

func (w *bodyWalk) list(list []ast.Stmt, closed bool) (after, ends bool) {
	for _, s := range list {
		if closed, ends = w.stmt(s, closed); ends {
			return closed, true
		}
	}
	return closed, false
}

func (w *bodyWalk) stmt(s ast.Stmt, closed bool) (after, ends bool) {
	if s == ast.Stmt(w.r.in) {
		w.begun = true
		return false, false
	}
	switch s := s.(type) {
	case *ast.DeferStmt:
		return closed || w.closesIn(s.Call), false
	case *ast.ReturnStmt:
		if w.begun {
			w.passes(s)
			if !closed && !w.closesIn(s) {
				w.left = append(w.left, s.Pos())
			}
		}
		return closed, true
	case *ast.BlockStmt:
		return w.list(s.List, closed)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, closed)
	case *ast.IfStmt:
		return w.branch(s, closed)
	case *ast.SwitchStmt:
		return w.cases(clauses(s.Body), closed), false
	case *ast.TypeSwitchStmt:
		return w.cases(clauses(s.Body), closed), false
	case *ast.SelectStmt:
		return w.cases(clauses(s.Body), closed), false
	case *ast.ForStmt:
		inner, _ := w.list(s.Body.List, closed)
		return closed || inner, false
	case *ast.RangeStmt:
		inner, _ := w.list(s.Body.List, closed)
		return closed || inner, false
	case *ast.BranchStmt:
		return closed, true
	}
	w.passes(s)
	return closed || w.closesIn(s), false
}

func (w *bodyWalk) branch(s *ast.IfStmt, closed bool) (after, ends bool) {
	if s.Init != nil {
		closed, _ = w.stmt(s.Init, closed)
	}
	if w.begun && w.failed(s.Cond) { // then there is no body
		if s.Else != nil {
			return w.stmt(s.Else, closed)
		}
		return closed, false
	}
	w.passes(s.Cond)
	then, thenEnds := w.list(s.Body.List, closed)
	other, otherEnds := closed, false
	if s.Else != nil {
		other, otherEnds = w.stmt(s.Else, closed)
	}
	switch {
	case thenEnds && otherEnds:
		return closed, true
	case thenEnds:
		return other, false
	case otherEnds:
		return then, false
	}
	return then && other, false
}

func (w *bodyWalk) cases(blocks [][]ast.Stmt, closed bool) bool {
	for _, b := range blocks {
		w.list(b, closed)
	}
	return closed
}

// failed reports whether a condition is that the call has failed: err != nil, of its own error, before any other call
// has set that; or that there is no response.
func (w *bodyWalk) failed(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if o := w.object(b.X); b.Op == token.NEQ && o != nil && o == w.r.err {
		return !w.setAgain(b)
	}
	return b.Op == token.EQL && w.object(b.X) == w.r.obj
}

// setAgain reports whether the error is assigned between the call and a condition.
func (w *bodyWalk) setAgain(cond ast.Node) bool {
	return len(everywhere(w.unit, func(a *ast.AssignStmt) bool {
		return a.Pos() > w.r.in.Pos() && a.Pos() < cond.Pos() &&
			slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return w.object(e) == w.r.err })
	})) > 0
}

// closesIn reports whether a node closes the body, also within a literal that is called there.
func (w *bodyWalk) closesIn(n ast.Node) bool {
	for _, call := range find[*ast.CallExpr](n, nil) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Close" {
			continue
		}
		if body, ok := ast.Unparen(sel.X).(*ast.SelectorExpr); ok && body.Sel.Name == "Body" &&
			w.object(body.X) == w.r.obj {
			w.closes = append(w.closes, call.Pos())
			return true
		}
	}
	return false
}

// passes notes if the response, or its body, goes to somebody who may close it.
func (w *bodyWalk) passes(n ast.Node) {
	if !w.begun {
		return
	}
	for _, id := range find(n, func(id *ast.Ident) bool { return w.info.Uses[id] == w.r.obj }) {
		up := w.outward(id)
		if len(up) < 2 {
			continue
		}
		sel, field := up[1].(*ast.SelectorExpr)
		switch {
		case !field: // the response itself: a call, a return, an assignment
			if b, compared := up[1].(*ast.BinaryExpr); !compared || b.Op != token.EQL && b.Op != token.NEQ {
				w.gone = true
			}
		case sel.Sel.Name == "Body" && len(up) > 2:
			if call, ok := up[2].(*ast.CallExpr); ok && len(w.bodies(call)) == 0 {
				continue // the standard library reads it and leaves it open; others are not known
			}
			if s, ok := up[2].(*ast.SelectorExpr); ok && s.Sel.Name != "Close" || ok {
				continue
			}
			w.gone = true
		}
	}
}

// bodyLeft answers whether the body is closed on each way out.
func bodyLeft(q *inquiry) []answer {
	for _, p := range q.places {
		for _, r := range p.responses() {
			w := p.follow(r)
			switch {
			case w.gone:
				return nil
			case len(w.left) > 0:
				return p.leftOpen(w, "")
			default:
				return p.contradicts(fmt.Sprintf("the body of the response of %s is closed on each way out of %s",
					p.ref(r.call.Pos()), p.decl.Name.Name), append(w.closes, r.call.Pos())...)
			}
		}
	}
	return nil
}

func (p *place) leftOpen(w *bodyWalk, then string) []answer {
	said := ""
	for i, at := range w.left {
		if i > 0 {
			said += " and "
		}
		said += p.ref(at)
	}
	return p.confirms(fmt.Sprintf("the way out of %s at %s leaves the body open of the response that %s gets%s",
		p.decl.Name.Name, said, p.ref(w.r.call.Pos()), then), append(w.left, w.r.call.Pos())...)
}

// connections looks for why connections are not used again.
func connections(q *inquiry) []answer {
	for _, p := range q.places {
		for _, r := range p.responses() {
			if a := p.clientPerCall(r); a != nil {
				return a
			}
			if w := p.follow(r); !w.gone && len(w.left) > 0 {
				return p.leftOpen(w, ": its connection is not used again")
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

// clientPerCall answers if the client of a call, or its transport, is made for the call.
func (p *place) clientPerCall(r response) []answer {
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	obj := p.object(sel.X)
	if obj == nil || !p.local(obj) {
		return nil
	}
	for _, v := range p.valuesOf(obj) {
		roots := []ast.Node{v}
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok {
			for _, d := range p.bodies(call) {
				roots = append(roots, d.Body)
			}
		}
		for _, root := range roots {
			for _, lit := range find(root,
				func(l *ast.CompositeLit) bool { return p.ofType(l, "net/http", "Transport") }) {
				return p.confirms(fmt.Sprintf(
					"%s, which asks at %s, has a transport of its own, made at %s: no connection "+
						"outlives the call", text(sel.X), p.ref(r.call.Pos()), p.ref(lit.Pos())), lit.Pos(), v.Pos(), r.call.Pos())
			}
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
	return p.confirms(fmt.Sprintf(
		"nothing reads the body of the response that %s gets: its connection is used again only "+
			"if that was empty", p.ref(r.call.Pos())), r.call.Pos())
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

// clauses are the bodies of a switch or a select, with what a case of that does first.
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
