package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"

	"github.com/gocasebook/casebook/app/flow"
	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
)

// The array of a slice keeps what is beyond its length: what a pop, a filter or a new start has left in slots, until
// another takes the place.

// A cut is where something is taken out of a slice that outlives its function, and its slot is left as it is.
type cut struct {
	*place
	at    ast.Node
	name  string // of the slice
	of    types.Object
	elem  types.Type
	clear string // what is to be written before
	ring  bool   // what it keeps grows until all slots were used
}

// slotsKept answers for memory that stays, which the array of a slice has after it was taken out.
func slotsKept(q *inquiry) []answer {
	if slices.ContainsFunc(q.finding.Where, func(w casefile.Frame) bool { return w.Part != "" }) {
		return nil // it waits for work
	}
	f := q.goes()
	for _, u := range q.packages() {
		for _, c := range u.cuts() {
			if (c.ring || !q.grows) && f.Has(u.flow, c.of).Had == flow.Whole {
				return c.answer(q.first())
			}
		}
	}
	return nil
}

// answer is about what a place has made.
func (c *cut) answer(made *place) []answer {
	fn, at := c.decl.Name.Name, c.ref(c.at.Pos())
	return becomes(c.confirms(fmt.Sprintf("%s takes out of %s at %s and leaves the slot as it is: the array keeps what "+
		"was there, and what %s made with it", fn, c.name, at, made.decl.Name.Name), c.at.Pos()), change{at: c.at,
		name: "clear-slot", not: []string{boundIt, doItLess}, title: fmt.Sprintf("Clear the slot that %s leaves at "+
			"%s: %s", fn, at, c.clear), text: fmt.Sprintf("The array of %s still refers to what was taken out, with "+
			"what is made at %s:%d, until something else takes the place: there is as much as there ever was at once. "+
			"Clear it before that line.", c.name, path.Base(made.frame.File), made.frame.Line)})
}

// cuts are those of a package.
func (u *unit) cuts() (out []cut) {
	for d := range u.functions() {
		p := u.whole(d)
		for _, a := range find(d.Body, func(a *ast.AssignStmt) bool { return len(a.Lhs) == len(a.Rhs) }) {
			for i, e := range a.Rhs {
				if s, ok := ast.Unparen(e).(*ast.SliceExpr); ok && !s.Slice3 {
					out = p.cutOff(out, a.Lhs[i], s)
				}
			}
		}
		for _, x := range find[*ast.IndexExpr](d.Body, nil) {
			out = p.readLast(out, x)
		}
	}
	return out
}

// cutOff adds what is cut off where a slice becomes its own beginning: its end, or all of it.
func (p *place) cutOff(out []cut, lhs ast.Expr, s *ast.SliceExpr) []cut {
	c := cut{place: p, at: s, name: text(s.X), of: p.lasting(s.X, depth), elem: syntax.Elem(p.typeOf(s.X))}
	whole, into, empty := c.of, p.lasting(lhs, 0), syntax.IsZero(p.info, s.High)
	switch { // append makes another array once the rest of a front that is cut off is used
	case whole == nil || p.clears(whole, c.elem) || s.High == nil || s.Low != nil && !syntax.IsZero(p.info, s.Low):
		return out
	case into == nil && empty && p.comesBack(p.object(lhs), whole): // kept := s.all[:0] … s.all = kept
		c.clear, into = fmt.Sprintf("clear(%s[len(%s):])", c.name, text(lhs)), whole
	case empty:
		c.clear = fmt.Sprintf("clear(%s)", c.name)
	case len(find(s.High, func(call *ast.CallExpr) bool { return p.builtin(call) == "cap" })) > 0:
		return out
	default:
		c.clear = fmt.Sprintf("%s[%s] = %s", c.name, text(s.High), syntax.Zero(c.elem))
	}
	if into == whole {
		out = append(out, c)
	}
	return out
}

// comesBack reports whether a function assigns a variable to what it is a part of.
func (p *place) comesBack(part, whole types.Object) bool {
	return part != nil && len(find(p.decl.Body, func(a *ast.AssignStmt) bool {
		return len(a.Lhs) == 1 && p.lasting(a.Lhs[0], 0) == whole && p.object(a.Rhs[0]) == part
	})) > 0
}

// readLast adds what is taken out of a ring: a function reads an element, moves the index on, and leaves the slot,
// which another function fills.
func (p *place) readLast(out []cut, x *ast.IndexExpr) []cut {
	moves := func(o types.Object) bool {
		return len(find(p.decl.Body, func(a *ast.AssignStmt) bool { return p.object(a.Lhs[0]) == o })) > 0 ||
			len(find(p.decl.Body, func(s *ast.IncDecStmt) bool { return p.object(s.X) == o })) > 0
	}
	whole, elem := p.lasting(x.X, 0), syntax.Elem(p.typeOf(x.X))
	if whole == nil || elem == nil || len(find(x.Index, func(id *ast.Ident) bool {
		o := p.object(id)
		return o != nil && !p.local(o) && moves(o)
	})) == 0 {
		return out
	}
	fills := func(a *ast.AssignStmt) bool {
		return slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			i, ok := ast.Unparen(e).(*ast.IndexExpr)
			return ok && p.object(i.X) == whole
		})
	}
	if len(find(p.decl.Body, fills)) == 0 && len(everywhere(p.unit, fills)) > 0 && !p.clears(whole, elem) {
		out = append(out, cut{place: p, at: x, name: text(x.X), clear: text(x) + " = " + syntax.Zero(elem), ring: true,
			of: whole, elem: elem})
	}
	return out
}

// lasting is the variable or field that outlives a function and that an expression names, also by a local name, or
// what a pointer points to that was given; nil for others.
func (p *place) lasting(e ast.Expr, left int) types.Object {
	o := p.object(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return o
	case *ast.SliceExpr:
		return p.lasting(x.X, left)
	}
	if o == nil || !p.local(o) {
		return o
	}
	if values := p.valuesOf(o); len(values) == 1 && left > 0 {
		return p.lasting(values[0], left-1)
	}
	return nil
}

// clears reports whether nothing is left: the elements refer to nothing, the function clears what it leaves or moves
// the rest there, or makes elements itself, so that what it takes comes back, or the package lets the array go.
func (p *place) clears(whole types.Object, elem types.Type) bool {
	if elem == nil || !syntax.Refers(elem) {
		return true
	}
	makes := func(e ast.Expr) bool {
		t := p.typeOf(e)
		return t != nil && (types.Identical(t, elem) || types.Identical(types.NewPointer(t), elem))
	}
	return len(find(p.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			x, ok := ast.Unparen(n.Lhs[0]).(*ast.IndexExpr)
			return ok && p.isZero(n.Rhs[0]) && p.lasting(x.X, depth) == whole
		case *ast.CallExpr:
			b := p.builtin(n)
			return (b == "clear" || b == "copy") && p.lasting(n.Args[0], depth) == whole || b == "new" && makes(n.Args[0])
		case *ast.CompositeLit:
			return len(n.Elts) > 0 && makes(n)
		}
		return false
	})) > 0 || len(everywhere(p.unit, func(a *ast.AssignStmt) bool {
		t, call := syntax.Elem(p.typeOf(a.Lhs[0])), ast.Unparen(a.Rhs[0])
		made, ok := call.(*ast.CallExpr)
		return t != nil && (types.Identical(t, elem) || p.object(a.Lhs[0]) == whole) && a.Tok == token.ASSIGN &&
			(p.isZero(call) || ok && p.builtin(made) == "make") && !p.inConstructor(a)
	})) > 0
}

// isZero reports whether an expression is a zero value, or a local variable that nothing is assigned to.
func (u *unit) isZero(e ast.Expr) bool {
	v, ok := u.object(e).(*types.Var)
	return syntax.IsZero(u.info, e) || ok && v.Kind() == types.LocalVar && len(u.valuesOf(v)) == 0
}

// inConstructor reports whether an assignment is to a field of a value that its function has made.
func (u *unit) inConstructor(n ast.Node) bool {
	a, ok := n.(*ast.AssignStmt)
	d := u.declared(n)
	if !ok || d == nil {
		return false
	}
	o := u.object(partOf(a.Lhs[0], func(e ast.Expr) bool { return false }))
	return o != nil && u.local(o) && d.Body.Pos() <= o.Pos()
}
