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
			v := p.other(depth, nil, p.inputs(call)...)
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
// function has another value of it. It is nil where none is seen. What skip is true of does not count.
func (p *place) other(left int, skip func(*place, *types.Var) bool, list ...ast.Expr) *types.Var {
	for _, e := range list {
		for _, id := range within[*ast.Ident](e, nil) {
			v, ok := p.info.Uses[id].(*types.Var)
			if !ok || v.IsField() || !p.local(v) || p.isReceiver(id) || isContext(v.Type()) ||
				v.Type() == types.Typ[types.Invalid] || skip != nil && skip(p, v) {
				continue
			}
			if at := p.parameter(v); at != nil && !p.sameFrom(v, at, left, skip) {
				return v
			} else if at == nil && left > 0 {
				if w := p.other(left-1, skip, p.madeOf(v)...); w != nil {
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
func (p *place) sameFrom(v *types.Var, fn ast.Node, left int, skip func(*place, *types.Var) bool) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok || left == 0 {
		return false
	}
	in := p.in(d)
	i := slices.Index(in.params(), types.Object(v))
	calls := p.callsOf(d)
	return i >= 0 && len(calls) > 0 && !slices.ContainsFunc(calls, func(call *ast.CallExpr) bool {
		by := p.declared(call)
		return i >= len(call.Args) || by != nil && p.in(by).other(left-1, skip, call.Args[i]) != nil // nil: a variable's value
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

// belongsToCall answers where a goroutine works for what the call brings that began it: one cannot serve all.
func belongsToCall(q *inquiry) []answer {
	for _, p := range q.own() {
		for _, g := range p.begunAt() {
			by := p.in(p.declared(g))
			for _, id := range by.worksFor(g) {
				from := by.otherOwner(id)
				if from == nil {
					continue
				}
				return becomes(p.adds(fmt.Sprintf("the goroutine that %s begins at %s works for %s, which each call makes of "+
					"its own %s", by.decl.Name.Name, p.ref(g.Pos()), id.Name, from.Name()), g.Pos()), change{name: "end-each",
					title: fmt.Sprintf("End each with its %s", id.Name), text: fmt.Sprintf("%s begins it at %s for a %s of its "+
						"own, so that one cannot serve all: a context that is cancelled, or a channel that is closed, when that "+
						"has ended, and a select on it beside the wait at :%d.", by.decl.Name.Name, p.ref(g.Pos()), id.Name,
						p.frame.Line)})
			}
		}
	}
	return nil
}

// otherOwner is other for what a goroutine works for, also for the receiver of a method: by who calls that. What a
// function makes for whoever called it they may share, and a number or a text is no owner.
func (p *place) otherOwner(id *ast.Ident) *types.Var {
	shares := func(p *place, v *types.Var) bool {
		_, basic := v.Type().Underlying().(*types.Basic)
		return basic || p.returnsIt(v)
	}
	if !p.isReceiver(id) {
		return p.other(depth, shares, id)
	}
	for _, call := range p.callsOf(p.decl) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if by := p.declared(call); ok && by != nil && p.runsOnce(call) == "" {
			return p.in(by).other(depth, shares, sel.X)
		}
	}
	return nil
}

// begunAt are the go statements of the place's goroutines.
func (p *place) begunAt() []*ast.GoStmt {
	if lit, ok := p.fn.(*ast.FuncLit); ok {
		if g, ok := p.goStatement(lit, nil).(*ast.GoStmt); ok {
			return []*ast.GoStmt{g}
		}
		return nil
	}
	fn := p.info.Defs[p.decl.Name]
	return everywhere(p.unit, func(g *ast.GoStmt) bool {
		return fn != nil && p.callee(g.Call).fn == fn && p.declared(g) != nil && p.runsOnce(g) == ""
	})
}

// worksFor are the mentions of variables that a goroutine has from the function which begins it: numbers, texts and
// contexts left out.
func (p *place) worksFor(g *ast.GoStmt) []*ast.Ident {
	return find(g.Call, func(id *ast.Ident) bool {
		v, ok := p.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || !p.local(v) || isContext(v.Type()) || inside(g, p.defined(v)) {
			return false
		}
		_, basic := v.Type().Underlying().(*types.Basic)
		return !basic
	})
}

// returnsIt reports whether the place's function returns a variable, or a literal that has it.
func (p *place) returnsIt(v *types.Var) bool {
	return len(within(p.decl.Body, func(r *ast.ReturnStmt) bool {
		return slices.ContainsFunc(r.Results, func(e ast.Expr) bool {
			lit := literal(e)
			return p.object(e) == types.Object(v) || lit != nil && p.mentions(lit, v)
		})
	})) > 0
}

// isKept answers where what would come from a pool is stored in what outlives its function.
func isKept(q *inquiry) []answer {
	for _, p := range q.own() {
		for _, made := range onLine[ast.Expr](p) {
			switch made.(type) {
			case *ast.CallExpr, *ast.CompositeLit:
			default:
				continue
			}
			to := p.storedAt(made, depth)
			if to == nil {
				continue
			}
			at := p.ref(to.Pos())
			return becomes(p.adds(fmt.Sprintf("what is made at %s is stored at %s, from where nobody gives it back",
				p.ref(made.Pos()), at), made.Pos(), to.Pos()), change{name: "make-fewer", last: true, title: "Make fewer, or " +
				"smaller ones", text: fmt.Sprintf("Each is kept from %s on: values in place of pointers, one slice or map for "+
				"many, or less in each; and take out what nobody needs any more.", at)})
		}
	}
	return nil
}

// storedAt is the statement that puts a value into what outlives its function: into a field or an element of what the
// function was given, or a variable of the package. Nil where it stays, is returned, or is handed to a call.
func (p *place) storedAt(e ast.Expr, left int) ast.Node {
	in := ast.Node(e)
	for _, up := range p.outward(e)[1:] {
		switch x := up.(type) {
		case *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr:
		case *ast.IndexExpr: // as the key of what is assigned
			if a, ok := p.outward(x)[1].(*ast.AssignStmt); ok && slices.Contains(a.Lhs, ast.Expr(x)) && p.keepsIn(x, left) {
				return a
			}
			return nil
		case *ast.CallExpr: // append(list, e)
			if p.builtin(x) != "append" || x.Ellipsis.IsValid() || ast.Node(x.Args[0]) == in {
				return nil
			}
		case *ast.AssignStmt:
			i := slices.IndexFunc(x.Rhs, func(rhs ast.Expr) bool { return ast.Node(rhs) == in })
			if i >= 0 && (len(x.Lhs) == len(x.Rhs) || i == 0) && p.keepsIn(x.Lhs[i], left) {
				return x
			} else if i < 0 || left == 0 {
				return nil
			}
			return p.storedFrom(x.Lhs[i], left-1)
		default:
			return nil
		}
		in = up
	}
	return nil
}

// storedFrom is the statement that stores a local variable, or what an expression is a part of.
func (p *place) storedFrom(e ast.Expr, left int) ast.Node {
	v := p.object(partOf(e, func(ast.Expr) bool { return false }))
	for _, id := range within(p.body, func(id *ast.Ident) bool { return v != nil && p.info.Uses[id] == v }) {
		if to := p.storedAt(id, left); to != nil {
			return to
		}
	}
	return nil
}

// keepsIn reports whether what is assigned to an expression outlives the function: it hangs on a variable of the package,
// on what the function was given, or on what it has got from such.
func (p *place) keepsIn(e ast.Expr, left int) bool {
	root := partOf(e, func(ast.Expr) bool { return false })
	v, ok := p.object(root).(*types.Var)
	_, whole := ast.Unparen(e).(*ast.Ident)
	switch {
	case !ok || v.Name() == "_":
		return false
	case !p.local(v):
		return true
	case whole:
		return false
	case v.Pos() < p.decl.Body.Pos() || p.body.Pos() > v.Pos():
		return true
	}
	return left > 0 && slices.ContainsFunc(p.valuesOf(v), func(from ast.Expr) bool {
		switch x := ast.Unparen(from).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr:
			return p.keepsIn(x, left-1)
		}
		return false
	})
}
