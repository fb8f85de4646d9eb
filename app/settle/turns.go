package settle

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// outOfLoop is the change for a goroutine that receives, and does something long before it receives again: what is
// long goes out of its loop, if the loop owns what it works with, and more of them start otherwise.
func (p *place) outOfLoop(r ast.Node, w wait) change {
	body, fn := p.turnOf(r)
	if fn == nil {
		return change{}
	}
	who := "it"
	if d := p.declared(r); d != nil {
		who = d.Name.Name
	}
	owns := p.owned(body)
	if len(owns) == 0 && p.manyRun(fn) {
		return change{} // as many as somebody chose
	}
	if len(owns) == 0 {
		return change{name: "start-more", title: fmt.Sprintf("Start more of %s: each turn works with what it "+
			"received alone", who), text: fmt.Sprintf("%s at %s %s, and nothing that the turns share is changed at "+
			"%s: as many goroutines as the other side can take.", w.what, p.ref(w.at), cmp.Or(w.does, "takes long"),
			p.ref(r.Pos())), price: "the order is lost"}
	}
	return change{name: "out-of-loop", not: []string{moreReaders}, title: fmt.Sprintf("Take %s out of the loop of %s",
		w.what, who), text: fmt.Sprintf("%s at %s %s, and nobody is served meanwhile. Only this goroutine may touch "+
		"%s, so more of it would race: hand what %s needs, a copy, to a goroutine of its own, by a channel with room "+
		"for one.", w.what, p.ref(w.at), cmp.Or(w.does, "takes long"), among(owns), w.what),
		price: "its outcome comes later"}
}

// manyRun reports whether a loop starts goroutines of a function.
func (p *place) manyRun(fn ast.Node) bool {
	if g, ok := p.goStatement(fn, nil).(*ast.GoStmt); ok {
		return len(p.loopsAround(g)) > 0
	}
	d, ok := fn.(*ast.FuncDecl)
	return ok && len(everywhere(p.unit, func(g *ast.GoStmt) bool {
		return p.callee(g.Call).fn == p.info.Defs[d.Name] && len(p.loopsAround(g)) > 0
	})) > 0
}

// turnOf is what a receiver does in each turn: the body of its loop.
func (p *place) turnOf(r ast.Node) (body ast.Node, fn ast.Node) {
	if l, ok := r.(*ast.RangeStmt); ok {
		return l.Body, p.function(r)
	}
	ls := p.loopsAround(r)
	if len(ls) == 0 {
		return nil, nil
	}
	return ls[0].body, p.function(r)
}

// owned are what a loop changes that outlives its turns: fields, variables of the package, and of the function around
// it; also below methods that it calls. What is guarded by a lock there is not the loop's own.
func (p *place) owned(body ast.Node) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	locks := len(find(body, func(c *ast.CallExpr) bool { _, does := p.mutexCall(c); return does != "" })) > 0
	if locks {
		return nil
	}
	root := func(e ast.Expr) ast.Expr {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			default:
				return e
			}
		}
	}
	note := func(e ast.Expr) {
		e = root(e)
		o := p.object(e)
		if o == nil || body.Pos() <= o.Pos() && o.Pos() < body.End() || text(e) == "_" {
			return
		}
		if sel, ok := e.(*ast.SelectorExpr); ok {
			if base := p.object(sel.X); base != nil && body.Pos() <= base.Pos() && base.Pos() < body.End() {
				return // of what was received
			}
		}
		add(text(e))
	}
	for _, n := range find[ast.Node](body, nil) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, lhs := range n.Lhs {
					note(lhs)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if b := p.builtin(n); (b == "delete" || b == "clear") && len(n.Args) > 0 {
				note(n.Args[0])
			}
			for _, name := range p.changedBelow(n, depth) {
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
					add(text(sel.X) + "." + name)
				}
			}
		}
	}
	return names
}

// changedBelow are the fields of their own receiver that methods change which a call runs, without a lock.
func (u *unit) changedBelow(call *ast.CallExpr, left int) (out []string) {
	for _, d := range u.bodies(call) {
		if left == 0 || d.Recv == nil || len(d.Recv.List[0].Names) == 0 ||
			len(find(d.Body, func(c *ast.CallExpr) bool { _, does := u.mutexCall(c); return does != "" })) > 0 {
			continue
		}
		recv := u.info.Defs[d.Recv.List[0].Names[0]]
		note := func(e ast.Expr) {
			if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
				e = index.X
			}
			if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && recv != nil && u.object(sel.X) == recv {
				out = append(out, sel.Sel.Name)
			}
		}
		for _, n := range find[ast.Node](d.Body, nil) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					note(lhs)
				}
			case *ast.IncDecStmt:
				note(n.X)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// askedOnce is the change for a question in a loop: one for all; none where a turn needs the answer of the one
// before, or none asks about its own element.
func (p *place) askedOnce(l loop, call *ast.CallExpr) change {
	if l.over == nil || l.elem == nil {
		return change{}
	}
	about := p.derived(l)
	if !p.mentionsAny(call, about) || p.carried(l, call) {
		return change{}
	}
	what, over := text(call.Fun), text(l.over)
	c := change{name: "ask-once", at: l.stmt, title: fmt.Sprintf("Ask once for all of %s, before the loop at %s", over,
		p.ref(l.stmt.Pos())), text: fmt.Sprintf("%s at %s asks for each element by itself, and no turn needs the "+
		"answer of another: one question with all of %s (IN, ANY, a pipeline, a batch), and look the answers up in "+
		"the loop. Where the other side takes one at a time, ask side by side (errgroup with SetLimit).", what,
		p.ref(call.Pos()), over), price: "one failure is everybody's"}
	for _, d := range p.bodies(call) {
		c.text += fmt.Sprintf(" %s (%s) needs a form that takes them all.", d.Name.Name, p.ref(d.Pos()))
		break
	}
	return c
}

// derived are the variables of a loop's element, and those that are made of it.
func (u *unit) derived(l loop) map[types.Object]bool {
	out := map[types.Object]bool{}
	if o := u.object(l.elem); o != nil {
		out[o] = true
	}
	if r, ok := l.stmt.(*ast.RangeStmt); ok && r.Key != nil {
		if o := u.object(r.Key); o != nil {
			out[o] = true
		}
	}
	for range 3 {
		for _, a := range find(l.body, func(a *ast.AssignStmt) bool { return a.Tok == token.DEFINE }) {
			for _, rhs := range a.Rhs {
				if u.mentionsAny(rhs, out) {
					for _, lhs := range a.Lhs {
						if o := u.object(lhs); o != nil {
							out[o] = true
						}
					}
				}
			}
		}
	}
	return out
}

func (u *unit) mentionsAny(n ast.Node, of map[types.Object]bool) bool {
	return len(find(n, func(id *ast.Ident) bool { o := u.info.ObjectOf(id); return o != nil && of[o] })) > 0
}

// carried reports whether what a call is given depends on a turn before: it names a variable of outside the loop that
// the loop assigns.
func (u *unit) carried(l loop, call *ast.CallExpr) bool {
	for _, e := range []ast.Node{call} {
		for _, id := range find[*ast.Ident](e, nil) {
			o, ok := u.info.ObjectOf(id).(*types.Var)
			if !ok || o.IsField() || l.stmt.Pos() <= o.Pos() && o.Pos() < l.stmt.End() {
				continue
			}
			if len(find(l.body, func(a *ast.AssignStmt) bool {
				return a.Tok != token.DEFINE && slices.ContainsFunc(a.Lhs,
					func(e ast.Expr) bool { return u.object(e) == o })
			})) > 0 {
				return true
			}
		}
	}
	return false
}

// keyOf is what a loop compares of its elements with something else for being the same: the key of an index. ok is
// false where it compares otherwise.
func (u *unit) keyOf(l loop, cond ast.Expr) (key string, ok bool) {
	b, is := ast.Unparen(cond).(*ast.BinaryExpr)
	if !is || b.Op != token.EQL && b.Op != token.NEQ {
		if is && b.Op == token.LAND {
			if key, ok = u.keyOf(l, b.X); ok {
				return key, true
			}
			return u.keyOf(l, b.Y)
		}
		return "", false
	}
	of := u.derived(l)
	x, y := u.mentionsAny(b.X, of), u.mentionsAny(b.Y, of)
	switch {
	case x && !y:
		return keyName(b.X), true
	case y && !x:
		return keyName(b.Y), true
	}
	return "", false
}

// keyName is the last name of an expression: "id" of t.rows[i].id.
func keyName(e ast.Expr) string {
	s := text(e)
	if i := strings.LastIndexByte(s, '.'); i >= 0 && !strings.ContainsAny(s[i:], "()[") {
		return s[i+1:]
	}
	return s
}

// indexed is the change for a loop that searches: an index, made before the loop around it where nothing changes what
// is searched there, and kept beside it otherwise.
func (p *place) indexed(l loop, cond ast.Expr) change {
	key, equal := p.keyOf(l, cond)
	over, at := text(l.over), p.ref(l.stmt.Pos())
	kind := "a map by " + key
	if !equal {
		if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); !ok || b.Op == token.LAND || b.Op == token.LOR {
			return change{} // what finds it at once is not known
		}
		kind = "an order or an index for " + text(cond)
	}
	for _, outer := range p.loopsAround(l.stmt) {
		if p.invariant(outer, l.over) && p.known(l.over) {
			return change{name: "index-before", at: outer.stmt, not: []string{doItLess},
				title: fmt.Sprintf("Make %s of %s once, before the loop at %s", kind, over, p.ref(outer.stmt.Pos())),
				text: fmt.Sprintf("The loop at %s looks through %s again in each turn of the one at %s, and %s does "+
					"not change there.", at, over, p.ref(outer.stmt.Pos()), over), price: "memory for it"}
		}
	}
	if i := slices.IndexFunc(p.params(), func(o types.Object) bool {
		return o != nil && o == p.object(l.over)
	}); i >= 0 {
		if outer, by, ok := p.sameInCaller([]*types.Var{p.params()[i].(*types.Var)}); ok {
			return change{name: "index-before", at: outer.stmt, not: []string{doItLess},
				title: fmt.Sprintf("Make %s of %s once, before the loop at %s of %s", kind, text(by.Args[i]),
					p.ref(outer.stmt.Pos()), p.declared(by).Name.Name), text: fmt.Sprintf("%s calls %s (%s) with the "+
					"same %s in each turn, which looks through it at %s.", p.declared(by).Name.Name, p.decl.Name.Name,
					p.ref(by.Pos()), text(by.Args[i]), at), price: "memory for it"}
		}
		return change{}
	}
	if o := p.object(l.over); o != nil && !p.local(o) {
		grows := ""
		for _, v := range p.growthOf(o) {
			grows = fmt.Sprintf(", filled where that grows (%s)", p.ref(v.Pos()))
			break
		}
		return change{name: "index-beside", not: []string{doItLess}, title: fmt.Sprintf("Keep %s beside %s", kind,
			over), text: fmt.Sprintf("The loop at %s looks at one element of %s after another, for %s: look it up "+
			"instead%s.", at, over, text(cond), grows), price: "memory, and a second thing to keep right"}
	}
	return change{}
}

// growthOf are the statements that append to a variable or field, or assign its elements.
func (u *unit) growthOf(obj types.Object) []*ast.AssignStmt {
	return everywhere(u, func(a *ast.AssignStmt) bool {
		return len(a.Lhs) > 0 && u.object(a.Lhs[0]) == obj && len(a.Rhs) > 0 && func() bool {
			call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
			return ok && u.builtin(call) == "append"
		}()
	})
}

// pollsSelect answers for a loop that looks at its channels, sleeps, and looks again.
func pollsSelect(q *inquiry) []answer {
	for _, p := range q.places {
		for _, l := range p.loops() {
			s := p.polled(l)
			sleeps := within(l.body, func(c *ast.CallExpr) bool { return p.callee(c).is("time", "Sleep") })
			if s == nil {
				continue
			}
			from := p.receivedIn(s)
			does, goes, at := "nothing in it waits", "", s.Pos()
			if len(sleeps) > 0 {
				at = sleeps[0].Pos()
				does, goes = "sleeps at "+p.ref(at), fmt.Sprintf(", and the Sleep at %s goes", p.ref(at))
			} else if _, _, waits := p.pause(l); waits {
				continue
			}
			if len(from) == 0 {
				continue
			}
			return becomes(p.confirms(fmt.Sprintf("the loop at %s asks %s in a select with a default, and %s",
				p.ref(l.stmt.Pos()), among(from), does), l.stmt.Pos(), s.Pos(), at), change{name: "wait-in-select",
				title: fmt.Sprintf("Take the default out of the select at %s, and wait there", p.ref(s.Pos())),
				text: fmt.Sprintf("Who sends to %s wakes it. What the default does goes under a case of a ticker that is "+
					"made before the loop at %s, as often as that is needed%s.", among(from), p.ref(l.stmt.Pos()), goes)})
		}
	}
	return nil
}

// polled is the select with a default in a loop, if it is its only one.
func (p *place) polled(l loop) *ast.SelectStmt {
	all := within[*ast.SelectStmt](l.body, nil)
	if len(all) != 1 || !syntax.HasDefault(all[0]) {
		return nil
	}
	return all[0]
}

// receivedIn are the channels that a select receives from.
func (p *place) receivedIn(s *ast.SelectStmt) (names []string) {
	for _, c := range s.Body.List {
		if comm := c.(*ast.CommClause).Comm; comm != nil {
			for _, r := range find(comm, func(x *ast.UnaryExpr) bool { return x.Op == token.ARROW }) {
				names = append(names, text(r.X))
			}
		}
	}
	return names
}

// encodesInEncoder answers for a method that a package calls to encode a value, and that calls this package again:
// what it makes is read and copied once more at each level.
func encodesInEncoder(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			c := p.callee(call)
			if c.fn == nil || c.fn.Pkg() == nil || c.recv != "" || !p.calledBy(c.fn.Pkg()) {
				continue
			}
			what, own := text(call.Fun), p.decl.Name.Name
			return becomes(p.confirms(fmt.Sprintf("%s at %s is called in %s, which it calls itself: each level is "+
				"encoded within the one around it, and read and copied there again", what, p.ref(call.Pos()), own),
				call.Pos()), change{name: "append-in-encoder", title: fmt.Sprintf("Write what is below %s into its "+
				"own buffer, without %s", own, what), text: fmt.Sprintf("At %s: a method that appends to a []byte, "+
				"and calls itself for values of the same type; %s returns what it wrote. %s is for values of other "+
				"types alone.", p.ref(call.Pos()), own, what), price: "more code"})
		}
	}
	return nil
}

// calledBy reports whether the place's function is a method by which a package has values encode themselves: of an
// interface of that package's, which its receiver implements.
func (p *place) calledBy(pkg *types.Package) bool {
	fn, ok := p.info.Defs[p.decl.Name].(*types.Func)
	if !ok || fn.Signature().Recv() == nil || fn.Signature().Params().Len() > 0 {
		return false
	}
	for _, name := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !t.Exported() {
			continue
		}
		face, ok := t.Type().Underlying().(*types.Interface)
		if !ok || face.NumMethods() != 1 || face.Method(0).Name() != fn.Name() {
			continue
		}
		if types.Implements(fn.Signature().Recv().Type(), face) {
			return true
		}
	}
	return false
}
