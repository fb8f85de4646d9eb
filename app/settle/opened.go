package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/syntax"
)

// enders are the names of methods by which values of types are ended, which nothing else tells of a type.
var enders = []string{"Close", "CloseNow", "Stop", "Release", "Cancel", "Shutdown", "Unsubscribe", "Rollback", "Unlock"}

// enderOf is the method that ends a value, by its type; "" without one. It is given nothing, or a context.
func (u *unit) enderOf(t types.Type) string {
	if t == nil {
		return ""
	}
	for _, name := range enders {
		o, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, name)
		fn, ok := o.(*types.Func)
		if !ok {
			continue
		}
		in := fn.Signature().Params()
		if in.Len() == 0 || in.Len() == 1 && isContext(in.At(0).Type()) {
			return name
		}
	}
	return ""
}

func isContext(t types.Type) bool { return t.String() == "context.Context" }

// opened are the values that the place's function gets from calls and has to end, by their types.
func (p *place) opened() (out []lifetime) {
	for _, a := range within[*ast.AssignStmt](p.body, nil) {
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		obj := p.object(a.Lhs[0])
		if !ok || len(a.Rhs) != 1 || obj == nil || !p.local(obj) {
			continue
		}
		l := lifetime{begin: a, call: call, obj: obj, name: obj.Name()}
		if v, ok := obj.(*types.Var); ok && isContext(v.Type()) && len(a.Lhs) == 2 {
			l.obj = p.object(a.Lhs[1]) // its cancel function
		}
		if last := p.object(a.Lhs[len(a.Lhs)-1]); len(a.Lhs) > 1 && last != nil && last.Type().String() == "error" {
			l.err = last
		}
		method := p.enderOf(obj.Type())
		if l.obj == nil || method == "" && l.obj == obj {
			continue
		}
		l.end = obj.Name() + "." + method + "()"
		l.ends = func(n ast.Node) bool { return p.endsBy(n, obj) }
		l.hands = p.handsOn
		out = append(out, l)
	}
	return out
}

// endsBy reports whether a node is a call of a method that ends a value.
func (p *place) endsBy(n ast.Node, obj types.Object) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && p.object(sel.X) == obj && (slices.Contains(enders, sel.Sel.Name) || sel.Sel.Name == "Commit")
}

// handsOn reports whether a mention gives a value to who may end it: returned, stored, sent, captured by a literal, or
// handed to a function that could: of another package, if the parameter has such a method, of this one, if it does.
func (p *place) handsOn(up []ast.Node) bool {
	id := up[0].(*ast.Ident)
	switch x := up[1].(type) {
	case *ast.SelectorExpr: // a method, a field
		return x.X != ast.Expr(id)
	case *ast.BinaryExpr:
		return x.Op != token.EQL && x.Op != token.NEQ
	case *ast.CallExpr:
		i := slices.Index(x.Args, ast.Expr(id))
		return i < 0 || p.mayEnd(x, i) || p.carriedOn(x, up)
	case *ast.AssignStmt:
		return slices.Contains(x.Rhs, ast.Expr(id))
	}
	return true
}

// mayEnd reports whether a call may end what it is given.
func (p *place) mayEnd(call *ast.CallExpr, i int) bool {
	c := p.callee(call)
	if c.fn == nil {
		return true
	}
	for _, d := range p.bodies(call) {
		v := paramAt(p.unit, d, i)
		return v == nil || len(find(d.Body, func(id *ast.Ident) bool {
			if p.info.Uses[id] != v {
				return false
			}
			up := p.outward(id)
			sel, ok := up[1].(*ast.SelectorExpr)
			return !ok || slices.Contains(enders, sel.Sel.Name)
		})) > 0
	}
	in := c.fn.Signature().Params()
	if in.Len() == 0 {
		return false
	}
	return p.enderOf(in.At(min(i, in.Len()-1)).Type()) != ""
}

// carriedOn reports whether what a call makes of a value leaves the function with it: bufio.NewReader(f), returned.
func (p *place) carriedOn(call *ast.CallExpr, up []ast.Node) bool {
	var made ast.Expr = call
	for _, around := range up[2:] {
		switch x := around.(type) {
		case *ast.CallExpr, *ast.ParenExpr, *ast.UnaryExpr, *ast.SelectorExpr:
			made = x.(ast.Expr)
		case *ast.ReturnStmt, *ast.CompositeLit, *ast.SendStmt, *ast.KeyValueExpr:
			return p.carries(made)
		case *ast.AssignStmt:
			o := p.assignedTo(call)
			return o != nil && p.carries(made) && (!p.local(o) || p.enderOf(o.Type()) != "" || p.leavesBy(o))
		default:
			return false
		}
	}
	return false
}

// carries reports whether a value may have another in it: a number, a text, or an error has none.
func (p *place) carries(e ast.Expr) bool {
	plain := func(t types.Type) bool {
		_, basic := t.Underlying().(*types.Basic)
		return basic || t.String() == "error" || t.String() == "[]byte"
	}
	switch t := p.typeOf(e).(type) {
	case nil:
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if !plain(v.Type()) {
				return true
			}
		}
		return false
	default:
		return !plain(t)
	}
}

// leavesBy reports whether a variable is returned, or stored in what outlives the function.
func (p *place) leavesBy(o types.Object) bool {
	return len(find(p.body, func(id *ast.Ident) bool {
		return p.info.Uses[id] == o && p.leaves(id)
	})) > 0
}

// An ofChannel is an operation on a channel of which no value is used: a place that is taken, or given back.
type ofChannel struct {
	ast.Node
	ch    types.Object
	name  string
	sends bool
}

// ofChannels are such operations of the package. A channel of which what is received is used anywhere has none.
func (u *unit) ofChannels() (out []ofChannel) {
	used := make(map[types.Object]bool)
	for _, n := range everywhere[ast.Node](u, nil) {
		switch n := n.(type) {
		case *ast.SendStmt:
			out = append(out, ofChannel{n, u.object(n.Chan), text(n.Chan), true})
		case *ast.UnaryExpr:
			if n.Op != token.ARROW {
				continue
			}
			if s, alone := u.outward(n)[1].(*ast.ExprStmt); alone {
				out = append(out, ofChannel{s, u.object(n.X), text(n.X), false})
			} else {
				used[u.object(n.X)] = true
			}
		}
	}
	return slices.DeleteFunc(out, func(c ofChannel) bool { return c.ch == nil || used[c.ch] })
}

// taken are the places in semaphores that the place's function takes by operations within a node, with what gives them
// back: the other operations, and calls of functions that have one. What a goroutine's function takes is none.
func (p *place) taken(n ast.Node) (out []lifetime) {
	if p.goStatement(p.fn, nil) != nil {
		return nil
	}
	all := p.ofChannels()
	for _, take := range all {
		if !inside(n, take.Node) || p.function(take.Node) != p.fn {
			continue
		}
		var back []ast.Node
		for _, c := range all {
			if c.ch == take.ch && c.sends != take.sends {
				back = append(back, c.Node)
			}
		}
		gives, _ := p.leadTo(back)
		l := lifetime{begin: take.Node, call: take.Node, name: "the place in " + take.name, ends: func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			return slices.Contains(back, n) || ok && slices.ContainsFunc(p.bodies(call), func(d *ast.FuncDecl) bool {
				return slices.Contains(gives, ast.Node(d))
			})
		}}
		l.end = deferred(find(p.body, l.ends))
		out = append(out, l)
	}
	return out
}

// takenBelow is what the place's function takes, as of those that call it.
func (p *place) takenBelow(l lifetime) (out []lifetime) {
	for _, call := range p.callsOf(p.decl) {
		l.call, l.err, l.end = call, p.errorOf(call), deferred(find(p.function(call), l.ends))
		switch s := p.outward(call)[1].(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
			l.begin = s
			out = append(out, l)
		}
	}
	return out
}

// deferred is the first of some nodes as what defer is given.
func deferred(all []ast.Node) string {
	if len(all) == 0 {
		return ""
	}
	switch n := all[0].(type) {
	case *ast.CallExpr:
		return text(n)
	case *ast.SendStmt:
		return fmt.Sprintf("func() { %s <- %s }()", text(n.Chan), text(n.Value))
	case *ast.ExprStmt:
		return fmt.Sprintf("func() { %s }()", text(n.X))
	}
	return ""
}

// nobodyGivesBack asks whether who takes the place that requests wait for leaves without giving it back, where nobody
// who has one is seen.
func nobodyGivesBack(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		if x, ok := n.(*ast.UnaryExpr); ok {
			n = p.outward(x)[1] // the statement
		}
		own := p.taken(n)
		all := slices.Clone(own)
		for _, l := range own {
			all = append(all, p.takenBelow(l)...)
		}
		for _, l := range all {
			fn := p.function(l.call)
			w := p.follow(syntax.BodyOf(fn), l)
			if len(w.left) == 0 || len(w.ended) == 0 || slices.ContainsFunc(q.crowds, func(c facts.Crowd) bool {
				return c.Last() > 0 && !p.isIn(c.Frames[0], p.fn) &&
					slices.ContainsFunc(c.Frames, func(f facts.Frame) bool { return p.isIn(f, fn) })
			}) {
				continue
			}
			return q.titled(p.leftOpen(w, fmt.Sprintf("%s taken, for which %s waits", l.name, p.ref(n.Pos()))),
				"places that nobody gives back")
		}
	}
	return nil
}

// notEnded answers for something that the place's function opens or takes, and does not end on some way out. That
// nothing ends it at all counts on the very line of which evidence says that it stays.
func notEnded(q *inquiry) []answer {
	for _, p := range q.places {
		for _, l := range slices.Concat(p.opened(), p.taken(p.body)) {
			w := p.follow(p.body, l)
			here := p.spans(l.begin, p.frame.Line)
			if !here && stays(q.finding.Kind) {
				continue
			}
			here = here && l.obj != nil
			if !w.gone && len(w.left) > 0 && (len(w.ended) > 0 || here) {
				return p.leftOpen(w, fmt.Sprintf("%s as it is, which %s begins", l.name, p.ref(l.call.Pos())))
			}
		}
	}
	return nil
}

// stays reports whether a finding is about goroutines that are where it says: what their function does behind that
// line it has not come to.
func stays(kind string) bool {
	return slices.Contains([]string{"goroutine-leak", "goroutine-stuck", "goroutine-surge"}, kind)
}

// groupNeverDone answers for a wait for a WaitGroup of which some goroutine does not call Done on each way, or which
// one is added to that then does not begin.
func (p *place) groupNeverDone(wait *ast.CallExpr) []answer {
	sel, ok := ast.Unparen(wait.Fun).(*ast.SelectorExpr)
	if !ok || !p.callee(wait).method("sync", "WaitGroup", "Wait") {
		return nil
	}
	names := p.names(p.object(sel.X))
	of := func(n ast.Node, name string) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		x, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return ok && p.callee(call).method("sync", "WaitGroup", name) && names[p.object(x.X)]
	}
	done := func(n ast.Node) bool { return of(n, "Done") }
	name := text(sel.X)
	for _, fn := range everywhere(p.unit, func(n ast.Node) bool { return syntax.BodyOf(n) != nil }) {
		body := syntax.BodyOf(fn)
		dones, adds := within(body, done), within(body, func(n ast.Node) bool { return of(n, "Add") })
		if len(dones) > 0 && len(adds) == 0 && len(p.loopsAround(dones[0])) == 0 && p.begun(fn) {
			end := text(dones[0].(*ast.CallExpr))
			w := p.follow(body, lifetime{begin: body, call: fn, name: name, end: end, ends: done})
			if len(w.left) > 0 {
				return p.leftOpen(w, fmt.Sprintf("without %s, for which %s waits", end, p.ref(wait.Pos())))
			}
		}
		for _, add := range within(body, func(s *ast.ExprStmt) bool { return of(ast.Unparen(s.X), "Add") }) {
			begun := func(n ast.Node) bool {
				g, ok := n.(*ast.GoStmt)
				return done(n) || ok && len(find[ast.Node](g, done)) > 0
			}
			w := p.follow(body, lifetime{begin: add, call: add, name: name, end: name + ".Done()", ends: begun})
			if len(w.left) > 0 && len(w.ended) > 0 {
				return p.leftOpen(w, fmt.Sprintf("%s added to, and begins none who is done", name))
			}
		}
	}
	return nil
}

// begun reports whether a goroutine runs a function: go begins it, or it is a literal without parameters that is handed
// to who may.
func (p *place) begun(fn ast.Node) bool {
	lit, ok := fn.(*ast.FuncLit)
	if !ok {
		return p.startOf(fn.(*ast.FuncDecl), 0) != nil
	}
	if call, ok := p.outward(lit)[1].(*ast.CallExpr); ok && slices.Contains(call.Args, ast.Expr(lit)) {
		return len(lit.Type.Params.List) == 0
	}
	return p.goStatement(lit, nil) != nil
}

// neverDone asks whether a WaitGroup that requests wait for is done with on each way.
func neverDone(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		if call, ok := n.(*ast.CallExpr); ok {
			if a := p.groupNeverDone(call); a != nil {
				return a
			}
		}
	}
	return nil
}

// givenForever answers for a call of which goroutines stay, and that is given a context which nothing ends.
func givenForever(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			i := slices.IndexFunc(call.Args, p.neverEnds)
			if i < 0 || p.runsOnce(call) != "" || p.inInit(call) {
				continue
			}
			name, what := p.decl.Name.Name, text(call.Fun)
			given := text(call.Args[i])
			c := change{name: "own-context", at: call, not: []string{closeIt}, title: fmt.Sprintf("Give %s at %s a "+
				"context that ends with %s", what, p.ref(call.Pos()), name), text: fmt.Sprintf("ctx, cancel := "+
				"context.WithCancel(%s); defer cancel(), and ctx in place of %s: what %s begins ends when %s has "+
				"returned.", given, given, what, name)}
			if ctx := p.contextOf(); ctx != "" {
				c.text = fmt.Sprintf("%s is given %s: hand that on in place of %s, and cancel it where %s ends.", name,
					ctx, given, name)
			}
			return becomes(p.confirms(fmt.Sprintf("%s at %s is given %s, which nothing ends: what it begins outlives %s",
				what, p.ref(call.Pos()), given, name), call.Pos()), c)
		}
	}
	return nil
}

// neverEnds reports whether an expression is a context that nothing ends.
func (p *place) neverEnds(e ast.Expr) bool {
	values := []ast.Expr{e}
	if o := p.object(e); o != nil && p.local(o) {
		values = p.valuesOf(o)
	}
	return len(values) == 1 && slices.ContainsFunc(values, func(v ast.Expr) bool {
		call, ok := ast.Unparen(v).(*ast.CallExpr)
		return ok && p.callee(call).is("context", "Background", "TODO", "WithoutCancel")
	})
}
