package settle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
)

// ending is the change for a map, list or sync.Map that only grows: where the entry's owner ends, if the code shows
// that, and a bound otherwise.
func (p *place) ending(g growing) change {
	if end, by := p.endOf(g); end != nil {
		return change{name: "delete-at-end", at: end, title: fmt.Sprintf("Delete from %s in %s", g.name, end.Name.Name),
			text: fmt.Sprintf("%s puts an entry in at %s, and %s calls %s with the same %s when it is done (%s): "+
				"take the entry out there, at %s, when nobody else uses it.", p.decl.Name.Name, p.ref(g.at.Pos()),
				p.declared(by).Name.Name,
				end.Name.Name, text(by.Args[0]), p.ref(by.Pos()), p.ref(end.Pos()))}
	}
	by := ""
	if g.key != nil {
		by = ", by " + text(g.key)
	}
	return change{name: "bound-it", general: true, title: fmt.Sprintf("Bound %s, or expire its entries", g.name),
		text: fmt.Sprintf("%s puts "+
			"one in at %s%s, and nothing in the package takes any out: delete it where its owner ends, or keep a "+
			"fixed number, or what was used lately.", p.decl.Name.Name, p.ref(g.at.Pos()), by), price: "what was " +
			"dropped must be made again"}
}

// endOf is a function that is called with the key of an entry after the one that put it in, on the same owner; and
// that call.
func (p *place) endOf(g growing) (end *ast.FuncDecl, by *ast.CallExpr) {
	i := p.paramOf(g.key)
	if i < 0 {
		return nil, nil
	}
	for _, put := range p.callsOf(p.decl) {
		in := p.function(put)
		if in == nil || i >= len(put.Args) || p.declared(put) == nil {
			continue
		}
		for _, call := range find[*ast.CallExpr](syntax.BodyOf(in), nil) {
			same := call.Pos() > put.Pos() && slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
				return types.ExprString(e) == types.ExprString(put.Args[i])
			})
			if !same || !sameOwner(call, put) {
				continue
			}
			for _, d := range p.bodies(call) {
				if d != p.decl && len(call.Args) == 1 {
					return d, call
				}
			}
		}
	}
	return nil, nil
}

// sameOwner reports whether two calls are of methods of the same variable.
func sameOwner(a, b *ast.CallExpr) bool {
	x, ok := ast.Unparen(a.Fun).(*ast.SelectorExpr)
	y, is := ast.Unparen(b.Fun).(*ast.SelectorExpr)
	return ok && is && types.ExprString(x.X) == types.ExprString(y.X)
}

// paramOf is the number of the parameter that a key is; -1 if it is none.
func (p *place) paramOf(key ast.Expr) int {
	if key == nil {
		return -1
	}
	o := p.object(key)
	return slices.IndexFunc(p.params(), func(v types.Object) bool { return v != nil && v == o })
}

// callTheEnd is the change where a function takes entries out, and nothing calls it for those that the place puts in.
func (p *place) callTheEnd(q *inquiry, g growing, out []ast.Node) change {
	d := p.declared(out[0])
	if d == nil || d == p.decl || len(out) > 1 {
		return change{}
	}
	call, _ := out[0].(*ast.CallExpr)
	if call == nil || p.function(call) != ast.Node(d) || len(p.loopsAround(call)) > 0 { // it looks at all
		return change{}
	}
	if p.usedAsValue(d) || q.called(p.unit, d) {
		return change{}
	}
	c := change{name: "call-the-end", not: []string{boundIt}, title: fmt.Sprintf("Call %s where what %s puts in ends",
		d.Name.Name, p.decl.Name.Name), text: fmt.Sprintf("%s takes out of %s at %s, and nothing calls it.",
		d.Name.Name,
		g.name, p.ref(call.Pos()))}
	puts := p.callsOf(p.decl)
	if len(puts) == 0 || p.declared(puts[0]) == nil {
		return c
	}
	put := puts[0]
	c.at = put
	c.title = fmt.Sprintf("Call %s where %s ends", endName(put, d), p.declared(put).Name.Name)
	c.text += fmt.Sprintf(" %s puts one in at %s: defer %s(…) behind it.", p.declared(put).Name.Name, p.ref(put.Pos()),
		endName(put, d))
	return c
}

// endName is how the caller of one method writes the call of another of the same variable.
func endName(put *ast.CallExpr, d *ast.FuncDecl) string {
	if sel, ok := ast.Unparen(put.Fun).(*ast.SelectorExpr); ok && d.Recv != nil {
		return text(sel.X) + "." + d.Name.Name
	}
	return d.Name.Name
}

// never reports whether a node is in a branch whose condition is a constant that is false.
func (u *unit) never(n ast.Node) bool {
	for _, up := range u.outward(n)[1:] {
		s, ok := up.(*ast.IfStmt)
		if !ok || !inside(s.Body, n) {
			continue
		}
		if v := u.info.Types[s.Cond].Value; v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v) {
			return true
		}
	}
	return false
}

// called reports whether something calls a function, or may: in its package or, if others can, in any of the program's
// where its name is written as what is not known to be another one.
func (q *inquiry) called(u *unit, d *ast.FuncDecl) bool {
	for _, by := range u.callsOf(d) {
		if !u.never(by) {
			return true
		}
	}
	fn, ok := u.info.Defs[d.Name].(*types.Func)
	if !ok {
		return true
	}
	all := q.having(fn.Name())
	if len(all) >= mostRead || !slices.Contains(all, u) { // not all are seen
		return true
	}
	for _, in := range all {
		if len(everywhere(in, func(id *ast.Ident) bool {
			if id.Name != fn.Name() || in.info.Defs[id] != nil || in.pkg.Path() == u.pkg.Path() {
				return false
			}
			o, known := in.info.Uses[id].(*types.Func)
			return in.info.Uses[id] == nil || known && (o.FullName() == fn.FullName() ||
				o.Signature().Recv() != nil && types.IsInterface(o.Signature().Recv().Type()))
		})) > 0 {
			return true
		}
	}
	return false
}

// usedAsValue reports whether a function is named without being called: then others may call it.
func (u *unit) usedAsValue(d *ast.FuncDecl) bool {
	obj := u.info.Defs[d.Name]
	return len(everywhere(u, func(id *ast.Ident) bool {
		if obj == nil || u.info.Uses[id] != obj {
			return false
		}
		for _, up := range u.outward(id)[1:] {
			switch up := up.(type) {
			case *ast.SelectorExpr:
				continue
			case *ast.CallExpr:
				return !inside(up.Fun, id)
			}
			return true
		}
		return true
	})) > 0
}

func paramAt(u *unit, d *ast.FuncDecl, i int) types.Object {
	for _, f := range d.Type.Params.List {
		for _, name := range f.Names {
			if i == 0 {
				return u.info.Defs[name]
			}
			i--
		}
	}
	return nil
}

// leaves reports whether a value goes out of its function.
func (p *place) leaves(e ast.Expr) bool {
	var n ast.Node = e
	for _, up := range p.outward(e)[1:] {
		switch up := up.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr:
		case *ast.CallExpr:
			i := slices.IndexFunc(up.Args, func(a ast.Expr) bool { return inside(a, e) })
			if i < 0 || !p.returnsArg(up, i) {
				return false
			}
		case *ast.AssignStmt:
			for k, lhs := range up.Lhs {
				if len(up.Rhs) == len(up.Lhs) && inside(up.Rhs[k], n) {
					x := lhs
					if index, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok {
						x = index.X
					}
					if o := p.object(x); o != nil && !p.local(o) {
						return true
					}
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// returnsArg reports whether a call returns what it is given, or a slice that has it.
func (p *place) returnsArg(call *ast.CallExpr, i int) bool {
	if p.builtin(call) == "append" {
		return !call.Ellipsis.IsValid()
	}
	for _, d := range p.bodies(call) {
		v := paramAt(p.unit, d, i)
		for _, r := range within[*ast.ReturnStmt](d.Body, nil) {
			if v != nil && slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return p.object(e) == v }) {
				return true
			}
		}
	}
	return false
}

// roomOfLargest answers for a buffer that is made larger where it is too small, and never smaller.
func roomOfLargest(q *inquiry) []answer {
	for _, p := range q.places {
		for _, a := range onLine[*ast.AssignStmt](p) {
			if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				continue
			}
			obj, call := p.object(a.Lhs[0]), ast.Expr(nil)
			if obj == nil || p.local(obj) || !p.underCap(a, obj) {
				continue
			}
			if call = ast.Unparen(a.Rhs[0]); !p.makesRoom(call) || p.letGo(obj, a) {
				continue
			}
			name := text(a.Lhs[0])
			return becomes(p.confirms(fmt.Sprintf("%s at %s grows to the largest that was asked for, and nothing "+
				"lets it go",
				name, p.ref(a.Pos())), a.Pos()), change{name: "let-go-large", not: []string{seeHolder},
				title: fmt.Sprintf(
					"Let %s go where it is much larger than what is needed", name), text: fmt.Sprintf("It keeps at %s "+
					"the room of the largest that it ever had, as long as what it is a field of lives. Above a bound "+
					"make one for the call alone, or drop it after its use: if cap(%s) > 64<<10 { %s = nil }.",
					p.ref(a.Pos()), name, name),
				price: "a large one is made again each time"})
		}
	}
	return nil
}

// underCap reports whether a node is in a branch that asks for the capacity of a variable.
func (p *place) underCap(n ast.Node, obj types.Object) bool {
	for _, up := range p.outward(n)[1:] {
		s, ok := up.(*ast.IfStmt)
		if ok && len(find(s.Cond, func(c *ast.CallExpr) bool {
			return p.builtin(c) == "cap" && p.object(c.Args[0]) == obj
		})) > 0 {
			return true
		}
	}
	return false
}

func (p *place) makesRoom(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && (p.builtin(call) == "make" || p.builtin(call) == "append" || p.callee(call).is("slices", "Grow"))
}

// letGo reports whether another statement of the package gives a variable nil, or a value of its own.
func (p *place) letGo(obj types.Object, but *ast.AssignStmt) bool {
	return len(everywhere(p.unit, func(a *ast.AssignStmt) bool {
		for i, lhs := range a.Lhs {
			if a != but && p.object(lhs) == obj && i < len(a.Rhs) && !p.mentions(a.Rhs[i], obj) && !p.underCap(a, obj) {
				return true
			}
		}
		return false
	})) > 0
}
