package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// What remedies need to be so (casefile.Remedy.Needs) is asked here: each question answers where the source shows that
// it is not. Then the remedy is none, and what the answer says comes in its place; what comes last is said only where
// no other remedy is left.

// own are the places in the program itself: what a dependency does at its lines is no remedy's matter.
func (q *inquiry) own() []*place {
	return slices.DeleteFunc(slices.Clone(q.places), func(p *place) bool { return p.module != "" })
}

// variesByCall answers where all that the place's line calls is given something else by each call of its function.
func variesByCall(q *inquiry) []answer {
	for _, p := range q.own() {
		var first *ast.CallExpr
		var from *types.Var
		for _, call := range p.worksOn() {
			v := p.other(depth, p.inputs(call)...)
			if v == nil {
				return nil
			}
			if first == nil {
				first, from = call, v
			}
		}
		if first == nil {
			continue
		}
		what := text(first.Fun)
		c := p.forEach(first)
		if c.name == "" || p.made1(first) == nil || p.made1(first).String() == "error" {
			c = change{name: "less", title: fmt.Sprintf("Give %s less, or call it less often: %s is another each time",
				what, from.Name()), text: fmt.Sprintf("At %s it is given what comes with each call of %s, so that "+
				"nothing which is made at start-up serves. Where the same %s comes again soon, keep the answer by it, "+
				"with a bound. Otherwise: call it once for many where one call takes many, out of loops, hand over only "+
				"what the result needs, or look for the call or the option that does less.", p.ref(first.Pos()),
				p.decl.Name.Name, from.Name()), price: "what is kept can be stale"}
		}
		return becomes(p.adds(fmt.Sprintf("%s at %s is given what %s brings with each call of %s", what,
			p.ref(first.Pos()), from.Name(), p.decl.Name.Name), first.Pos()), c)
	}
	return nil
}

// worksOn are the calls of the place's line that are given anything but where to write to; the outermost come first.
func (p *place) worksOn() []*ast.CallExpr {
	var out []*ast.CallExpr
	for _, outer := range onLine[*ast.CallExpr](p) {
		for _, call := range within[*ast.CallExpr](outer, nil) {
			if p.builtin(call) == "" && !p.info.Types[call.Fun].IsType() && !slices.Contains(out, call) &&
				len(p.inputs(call)) > 0 {
				out = append(out, call)
			}
		}
	}
	return out
}

// inputs are what a call is given to work on: its arguments and the value that it is a method of. Contexts, and what a
// result is written to, are none.
func (p *place) inputs(call *ast.CallExpr) (out []ast.Expr) {
	list := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.info.Selections[sel] != nil &&
		len(find[*ast.CallExpr](sel.X, nil)) == 0 {
		list = append(slices.Clip(list), sel.X)
	}
	for _, e := range list {
		x, address := ast.Unparen(e).(*ast.UnaryExpr)
		t := p.typeOf(e)
		if address && x.Op == token.AND && literal(e) == nil || t != nil && (isContext(t) || p.onlyWritten(t)) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// onlyWritten reports whether a value is there to be written to.
func (u *unit) onlyWritten(t types.Type) bool {
	write, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, "Write")
	read, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, "Read")
	return write != nil && read == nil
}

// other is the parameter on which one of some expressions hangs, by what its variables were given: another call of the
// function has another value of it. It is nil where none is seen.
func (p *place) other(left int, list ...ast.Expr) *types.Var {
	for _, e := range list {
		for _, id := range within[*ast.Ident](e, nil) {
			v, ok := p.info.Uses[id].(*types.Var)
			if !ok || v.IsField() || !p.local(v) || p.isReceiver(id) || isContext(v.Type()) ||
				v.Type() == types.Typ[types.Invalid] {
				continue
			}
			if at := p.parameter(v); at != nil && !p.sameFrom(v, at, left) {
				return v
			} else if at == nil && left > 0 {
				if w := p.other(left-1, p.madeOf(v)...); w != nil {
					return w
				}
			}
		}
	}
	return nil
}

// parameter is the function of which a variable is a parameter; nil of others.
func (u *unit) parameter(v *types.Var) ast.Node {
	up := u.outward(u.defined(v))
	if len(up) < 5 {
		return nil
	}
	typ, ok := up[3].(*ast.FuncType)
	if !ok || ast.Node(typ.Params) != up[2] {
		return nil
	}
	return up[4]
}

// sameFrom reports whether all callers of a function give a parameter what does not come from parameters of theirs.
func (p *place) sameFrom(v *types.Var, fn ast.Node, left int) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok || left == 0 {
		return false
	}
	in := p.in(d)
	i := slices.Index(in.params(), types.Object(v))
	calls := p.callsOf(d)
	return i >= 0 && len(calls) > 0 && !slices.ContainsFunc(calls, func(call *ast.CallExpr) bool {
		by := p.declared(call)
		return by == nil || i >= len(call.Args) || p.in(by).other(left-1, call.Args[i]) != nil
	})
}

// madeOf are the expressions that a local variable has its value from: what it is assigned, what it is an element of,
// and what a call that gets its address works on.
func (p *place) madeOf(v *types.Var) []ast.Expr {
	out := p.valuesOf(v)
	for _, n := range find[ast.Node](p.decl.Body, nil) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Key != nil && p.object(n.Key) == v || n.Value != nil && p.object(n.Value) == v {
				out = append(out, n.X)
			}
		case *ast.CallExpr:
			if slices.ContainsFunc(n.Args, func(e ast.Expr) bool {
				x, ok := ast.Unparen(e).(*ast.UnaryExpr)
				return ok && x.Op == token.AND && p.object(x.X) == v
			}) {
				out = append(out, n.Fun)
				out = append(out, p.inputs(n)...)
			}
		}
	}
	return out
}
