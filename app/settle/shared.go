package settle

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// shared reports whether a type is made to be used by many at once: it, or what it points to, has a lock, an atomic or
// a pool. So one serves all calls, and what it keeps (connections, compiled code, buffers) is lost with it.
func shared(t types.Type) bool { return sharedWithin(t, depth, make(map[types.Type]bool)) }

func sharedWithin(t types.Type, left int, seen map[types.Type]bool) bool {
	t = syntax.Deref(t)
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || seen[n] || left == 0 {
		return false
	}
	seen[n] = true
	if pkg := n.Obj().Pkg(); pkg != nil && (pkg.Path() == "sync/atomic" || pkg.Path() == "sync" &&
		slices.Contains([]string{"Mutex", "RWMutex", "Pool", "Map"}, n.Obj().Name())) {
		return true
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if sharedWithin(f.Type(), left-1, seen) {
			return true
		}
	}
	return false
}

// ofOthers reports whether a type is of another package: what this one guards by a lock may be what a call gathers.
func (u *unit) ofOthers(t types.Type) bool {
	t = syntax.Deref(t)
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg() != u.pkg
}

// hasPosition reports whether what one reads or writes of a value is gone for others.
func (u *unit) hasPosition(t types.Type) bool {
	read, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, "Read")
	write, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, "Write")
	return read != nil || write != nil
}

// madeToShare answers for a value that a call makes for itself although its type is made to be shared: of what does
// not change from call to call, or of one argument. It is the one that the place's line makes, or waits with.
func madeToShare(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) { // c.client().Do(req)
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || p.runsOnce(call) != "" {
				continue
			}
			if out := p.ownOfCall(call, sel.X, sel.X, p.madeBelow(ast.Unparen(sel.X), depth)); out != nil {
				return out
			}
		}
		for _, a := range within(p.body, func(a *ast.AssignStmt) bool { return len(a.Rhs) == 1 }) {
			obj, ok := p.object(a.Lhs[0]).(*types.Var)
			if !ok || !p.local(obj) || !p.onPlace(a, obj) || p.runsOnce(a) != "" || !p.staysHere(obj, depth) {
				continue
			}
			if out := p.ownOfCall(a, a.Lhs[0], a.Rhs[0], p.maker(a.Rhs[0], depth)); out != nil {
				return out
			}
		}
	}
	return nil
}

// ownOfCall answers for what a function makes at a node for itself, as of an expression; nil where nothing makes one.
func (p *place) ownOfCall(at ast.Node, name, of, made ast.Expr) []answer {
	if made == nil {
		return nil
	}
	said := fmt.Sprintf("each call of %s has a %s of its own, made by %s at %s, of a type that many can use at once",
		p.decl.Name.Name, strings.ToLower(p.madeName(made)), text(made), p.ref(made.Pos()))
	if p.steady(of, depth) {
		return becomes(p.confirms(said+", of nothing that changes", made.Pos(), at.Pos()), p.onceShared(at, name, made))
	}
	c := change{}
	if call, ok := ast.Unparen(of).(*ast.CallExpr); ok {
		c = p.forEach(call)
	}
	return becomes(p.confirms(said, made.Pos(), at.Pos()), c)
}

// madeName is the name of the type that a maker makes.
func (p *place) madeName(e ast.Expr) string {
	t := p.typeOf(e)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	return typeName(t)
}

// onPlace reports whether the place's line makes a value, or calls something of it, or with it.
func (p *place) onPlace(a *ast.AssignStmt, obj types.Object) bool {
	return p.spans(a, p.frame.Line) || len(find(p.body, func(c *ast.CallExpr) bool {
		return p.spans(c, p.frame.Line) && p.mentions(c, obj)
	})) > 0
}

// staysHere reports whether nobody else gets a value that the place's function makes.
func (p *place) staysHere(obj types.Object, left int) bool {
	return left > 0 && len(find(p.body, func(id *ast.Ident) bool {
		if p.info.Uses[id] != obj {
			return false
		}
		for _, up := range p.outward(id)[1:] {
			switch up := up.(type) {
			case *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.ParenExpr:
				continue
			case *ast.AssignStmt:
				for i, rhs := range up.Rhs {
					if !inside(rhs, id) {
						continue
					}
					to := p.object(up.Lhs[min(i, len(up.Lhs)-1)])
					return to == nil || !p.local(to) || !p.staysHere(to, left-1)
				}
				return false
			}
			break
		}
		up := p.outward(id)
		_, in := up[1].(*ast.KeyValueExpr)
		return !in && p.handsOn(up)
	})) == 0
}

// maker is what makes a value of a shared type that another package declares: a function, or a literal; nil for
// others.
func (p *place) maker(e ast.Expr, left int) ast.Expr {
	for _, x := range find[ast.Expr](e, nil) {
		t := p.typeOf(x)
		if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
			t = tuple.At(0).Type()
		}
		if made := p.madeBelow(x, left); made != nil {
			return made
		}
		if t == nil || !p.ofOthers(t) || !shared(t) || p.hasPosition(t) {
			continue
		}
		switch x := x.(type) {
		case *ast.Ident:
			values := p.valuesOf(p.object(x))
			if o := p.object(x); left > 0 && p.local(o) && len(values) == 1 && p.staysHere(o, left) {
				return p.maker(values[0], left-1)
			}
		case *ast.CompositeLit:
			return x.Type
		case *ast.CallExpr:
			if c := p.callee(x); c.fn != nil && c.recv == "" {
				return x
			}
		}
	}
	return nil
}

// madeBelow is what a function of this package makes and returns; nil for other expressions.
func (p *place) madeBelow(e ast.Expr, left int) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || left == 0 {
		return nil
	}
	for _, d := range p.bodies(call) {
		for _, r := range within(d.Body, func(r *ast.ReturnStmt) bool { return len(r.Results) > 0 }) {
			if made := p.in(d).maker(r.Results[0], left-1); made != nil {
				return made
			}
		}
	}
	return nil
}

// in is the same place, as of another function of the package.
func (p *place) in(d *ast.FuncDecl) *place {
	return &place{unit: p.unit, frame: p.frame, file: p.file, decl: d, fn: d, body: d.Body, away: p.away}
}

// steady reports whether an expression is the same in each call of the place's function: of constants, of variables of
// the package and fields of the receiver that nothing changes, and of what functions make of such.
func (p *place) steady(e ast.Expr, left int) bool {
	of := func(list ...ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e != nil && !p.steady(e, left) })
	}
	if p.info.Types[e].Value != nil {
		return true
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return of(x.X)
	case *ast.UnaryExpr:
		return of(x.X)
	case *ast.BinaryExpr:
		return of(x.X, x.Y)
	case *ast.KeyValueExpr:
		return of(x.Value)
	case *ast.CompositeLit:
		return of(x.Elts...)
	case *ast.FuncLit:
		return len(find(x, func(id *ast.Ident) bool {
			o, ok := p.info.Uses[id].(*types.Var)
			return ok && !o.IsField() && p.local(o) && !inside(x, p.defined(o)) && !p.isReceiver(id)
		})) == 0
	case *ast.SelectorExpr:
		v, ok := p.object(x).(*types.Var)
		return !ok || !p.changed(v) && (!v.IsField() || p.isReceiver(x.X) || of(x.X))
	case *ast.Ident:
		return p.steadyName(x, left)
	case *ast.CallExpr:
		return p.steadyCall(x, left, of)
	}
	return false
}

func (p *place) steadyName(id *ast.Ident, left int) bool {
	v, ok := p.info.ObjectOf(id).(*types.Var)
	switch {
	case !ok:
		return true
	case !p.local(v):
		return !p.assigned(v)
	case left == 0 || slices.Contains(p.params(), types.Object(v)) || p.isReceiver(id):
		return false
	}
	values := p.valuesOf(v)
	return len(values) == 1 && p.body.Pos() <= v.Pos() && p.steady(values[0], left-1)
}

// asking are packages of the standard library whose functions return something else each time.
var asking = strings.Fields("bufio io math/rand math/rand/v2 crypto/rand net os os/exec runtime time")

func (p *place) steadyCall(call *ast.CallExpr, left int, of func(...ast.Expr) bool) bool {
	c := p.callee(call)
	if !of(call.Args...) {
		return false
	}
	if p.info.Types[call.Fun].IsType() || p.builtin(call) != "" || c.is("os", "Getenv", "LookupEnv") {
		return true
	}
	bodies := p.bodies(call)
	if c.fn == nil || left == 0 || len(bodies) == 0 && (c.recv != "" && len(call.Args) == 0 ||
		slices.Contains(asking, c.path)) {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.recv != "" && !p.isReceiver(sel.X) && !of(sel.X) {
		return false
	}
	for _, d := range bodies { // of this package: by what it returns
		in := p.in(d)
		for _, r := range within[*ast.ReturnStmt](d.Body, nil) {
			if slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !in.steadyOr(e, left-1) }) {
				return false
			}
		}
	}
	return true
}

// steadyOr takes parameters for steady: what the caller gives is.
func (p *place) steadyOr(e ast.Expr, left int) bool {
	return slices.Contains(p.params(), p.object(e)) || p.steady(e, left)
}

// defined is the node of a variable's name where it is declared.
func (u *unit) defined(o types.Object) ast.Node { return &ast.Ident{NamePos: o.Pos(), Name: o.Name()} }

// onceShared is the change for a value that all calls can share.
func (p *place) onceShared(a ast.Node, e, made ast.Expr) change {
	name, what := text(e), text(made)
	if call, ok := made.(*ast.CallExpr); ok {
		what = text(call.Fun)
	}
	where := "a variable of package " + p.files[0].Name.Name
	if of := p.receiver(); of != "" {
		where = "a field of " + of
	}
	c := change{name: "share", at: a, not: []string{keepEach}, title: fmt.Sprintf("Make %s once, and keep it in %s",
		what, where), text: fmt.Sprintf("Each call of %s makes %s anew at %s, and nothing that it is made of changes: "+
		"make it where the program starts, and use that.", p.decl.Name.Name, name, p.ref(a.Pos()))}
	if end := p.enderOf(p.typeOf(e)); end != "" {
		c.text += fmt.Sprintf(" Then %s.%s is for the end of the program alone.", name, end)
	}
	return c
}
