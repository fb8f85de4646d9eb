package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// sameForCaller answers for a function that costs, and is given the same in each turn of a loop of a caller, also
// through functions between: the change belongs to that loop. A function that does something outside of itself is
// called for that, and one that asks anybody may be answered otherwise.
func sameForCaller(q *inquiry) []answer {
	p := q.first()
	if p.fn != p.decl || p.decl.Type.Results == nil || !p.onlyComputes(p.decl) {
		return nil
	}
	var all []*types.Var
	for _, o := range p.params() {
		if v, ok := o.(*types.Var); ok {
			all = append(all, v)
		}
	}
	return p.sameAbove(p.decl, all, depth)
}

// sameAbove looks at the callers of a function for the loop that gives some parameters the same in each turn.
func (p *place) sameAbove(d *ast.FuncDecl, params []*types.Var, left int) []answer {
	for _, call := range p.callsOf(d) {
		by := p.declared(call)
		if by == nil || left == 0 || p.function(call) != ast.Node(by) {
			continue
		}
		given, ok := p.given(d, call, params)
		if !ok {
			continue
		}
		ls := slices.DeleteFunc(p.loopsAround(call), func(l loop) bool { return !l.repeats(call) })
		if len(ls) == 0 {
			if outer, ok := p.in(by).only(given); ok {
				if a := p.sameAbove(by, outer, left-1); a != nil {
					return a
				}
			}
			continue
		}
		l := ls[0]
		if len(given) == 0 || slices.ContainsFunc(given, func(e ast.Expr) bool {
			return !p.invariant(l, e) || !p.known(e) || p.touched(l, e)
		}) {
			continue
		}
		own, same := p.decl.Name.Name, text(given[0])
		return becomes(p.confirms(fmt.Sprintf("the loop at %s calls %s (%s) with the same %s in each turn, and %s (:%d) "+
			"makes the same of it each time", p.ref(l.stmt.Pos()), text(call.Fun), p.ref(call.Pos()), same, own,
			p.frame.Line), l.stmt.Pos(), call.Pos()), change{name: "hoist-call", at: l.stmt, not: []string{doItLess},
			title: fmt.Sprintf("Call %s once, before the loop at %s of %s", own, p.ref(l.stmt.Pos()), by.Name.Name),
			text: fmt.Sprintf("It is given nothing but %s, which does not change there: hand on what it returns, in "+
				"place of what it is made of. Where that changes seldom, keep it beside it.", same)})
	}
	return nil
}

// given are the expressions of a call for some parameters, and for its receiver.
func (p *place) given(d *ast.FuncDecl, call *ast.CallExpr, params []*types.Var) (out []ast.Expr, ok bool) {
	if sel, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is && d.Recv != nil {
		out = append(out, sel.X)
	}
	all := p.in(d).params()
	for _, v := range params {
		i := slices.Index(all, types.Object(v))
		if i < 0 || i >= len(call.Args) || call.Ellipsis.IsValid() {
			return nil, false
		}
		out = append(out, call.Args[i])
	}
	return out, true
}

// only are the parameters of a place's function of which expressions are made; ok is false if they name another local
// variable.
func (p *place) only(list []ast.Expr) (out []*types.Var, ok bool) {
	params := p.params()
	for _, e := range list {
		for _, id := range find[*ast.Ident](e, nil) {
			v, is := p.info.ObjectOf(id).(*types.Var)
			switch {
			case !is || v.IsField() || !p.local(v) || p.isReceiver(id):
			case !slices.Contains(params, types.Object(v)):
				return nil, false
			case !slices.Contains(out, v):
				out = append(out, v)
			}
		}
	}
	return out, len(out) > 0
}

// touched reports whether a loop assigns a part of what an expression hangs on.
func (u *unit) touched(l loop, e ast.Expr) bool {
	root := func(e ast.Expr) types.Object { return u.object(partOf(e, func(ast.Expr) bool { return false })) }
	of := root(e)
	return of != nil && len(find(l.stmt, func(a *ast.AssignStmt) bool {
		return slices.ContainsFunc(a.Lhs, func(lhs ast.Expr) bool { return root(lhs) == of })
	})) > 0
}

// onlyComputes reports whether a function changes nothing but its own variables, and asks nobody.
func (p *place) onlyComputes(d *ast.FuncDecl) bool {
	if slices.ContainsFunc(p.params(), func(o types.Object) bool { return o != nil && p.hasPosition(o.Type()) }) {
		return false
	}
	u := p.unit
	outside := func(e ast.Expr) bool {
		_, whole := ast.Unparen(e).(*ast.Ident)
		o := u.object(partOf(e, func(ast.Expr) bool { return false }))
		return o != nil && (o.Pos() < d.Pos() || d.End() <= o.Pos() || !whole && o.Pos() < d.Body.Pos())
	}
	return len(find(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.GoStmt, *ast.SelectStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, outside)
		case *ast.IncDecStmt:
			return outside(n.X)
		case *ast.CallExpr:
			_, does := u.callWaits(n, true)
			return does != "" && does != "writes" || slices.Contains(asking, u.callee(n).path)
		}
		return false
	})) == 0
}

// besideStore answers for a map that is filled beside a store of a dependency which drops entries by itself: what that
// drops stays in the map.
func besideStore(q *inquiry) []answer {
	for _, p := range q.places {
		for _, d := range append([]*ast.FuncDecl{p.decl}, p.callersOf(p.decl)...) {
			for _, put := range within(d.Body, func(c *ast.CallExpr) bool { return p.storeOf(c) != nil }) {
				store := p.storeOf(put)
				maps := p.mapsBeside(d, put, store)
				if len(maps) == 0 || len(put.Args) == 0 {
					continue
				}
				key := text(put.Args[0])
				into, from := among(maps), text(store)
				return becomes(p.confirms(fmt.Sprintf("%s puts %s into %s beside %s (%s), which may drop it by itself; "+
					"then it stays there", d.Name.Name, key, into, from, p.ref(put.Pos())), put.Pos(), d.Pos()),
					change{name: "evict-with", at: put, not: []string{boundIt}, title: fmt.Sprintf("Take %s out of %s "+
						"when %s drops it: by its callback", key, into, from), text: fmt.Sprintf("Give %s, where it is "+
						"made, a function that it calls for what it evicts or expires, and delete the entry of %s there: "+
						"the bound at %s is not theirs.", from, into, p.ref(put.Pos()))})
			}
		}
	}
	return nil
}

// callersOf are the functions of the package that call one.
func (u *unit) callersOf(d *ast.FuncDecl) (out []*ast.FuncDecl) {
	for _, call := range u.callsOf(d) {
		if by := u.declared(call); by != nil && !slices.Contains(out, by) {
			out = append(out, by)
		}
	}
	return out
}

// storeOf is the field that a call puts an entry into: of a dependency's type that can be asked to remove one, and
// tells how many it has; nil for others.
func (u *unit) storeOf(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return nil
	}
	field, ok := u.object(sel.X).(*types.Var)
	c := u.callee(call)
	if !ok || !field.IsField() || !strings.Contains(c.path, ".") || c.fn == nil || c.fn.Pkg() == u.pkg {
		return nil
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			o, _, _ := types.LookupFieldOrMethod(field.Type(), true, u.pkg, name)
			_, is := o.(*types.Func)
			return is
		})
	}
	if !has("Remove", "Delete", "Del") || !has("Get", "Peek") {
		return nil
	}
	return sel.X
}

// mapsBeside are the maps of the store's owner that a function puts the same key into, by itself or by a function that
// it hands both.
func (p *place) mapsBeside(d *ast.FuncDecl, put *ast.CallExpr, store ast.Expr) (out []string) {
	key := p.object(put.Args[0])
	owner, ok := ast.Unparen(store).(*ast.SelectorExpr)
	if key == nil || !ok {
		return nil
	}
	note := func(e ast.Expr) {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if ok && types.ExprString(sel.X) == types.ExprString(owner.X) && isMapOf(p.typeOf(sel)) &&
			!slices.Contains(out, text(sel)) {
			out = append(out, text(sel))
		}
	}
	for _, n := range within[ast.Node](d.Body, nil) {
		switch n := n.(type) {
		case *ast.CallExpr:
			isKey := func(e ast.Expr) bool { return p.object(e) == key }
			if n != put && len(p.bodies(n)) > 0 && slices.ContainsFunc(n.Args, isKey) {
				for _, e := range n.Args {
					note(e)
				}
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if x, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok && p.mentions(x, key) {
					note(partOf(x, func(e ast.Expr) bool { _, sel := e.(*ast.SelectorExpr); return sel }))
				}
			}
		}
	}
	return out
}

func isMapOf(t types.Type) bool { return t != nil && isMap(t) }
