package settle

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// room is the change for a send that nobody has to receive: room in the channel for all that are sent, or a way out.
func (p *place) roomFor(s *ast.SendStmt, ch *channel) change {
	not := []string{closeIt}
	made, ok := ch.made.(*ast.CallExpr)
	if !ok || !p.local(ch.obj) {
		return p.wayOut(s, not)
	}
	typ := text(made.Args[0])
	start := p.goStatement(p.function(s), s)
	loops := slices.DeleteFunc(slices.Concat(p.loopsAround(s), p.loopsAround(start)), func(l loop) bool {
		return inside(l.stmt, made) // it makes a channel of its own for each turn
	})
	room := ""
	switch {
	case len(loops) == 0:
		room = "1"
	case len(loops) == 1 && loops[0].over != nil:
		room = "len(" + text(loops[0].over) + ")"
	case len(loops) == 1 && p.counts(loops[0]) != "":
		room = p.counts(loops[0])
	default:
		return p.wayOut(s, not)
	}
	return change{name: "room", not: not, title: fmt.Sprintf("Give %s room for all that is sent: make(%s, %s) at %s",
		ch.name, typ, room, p.ref(made.Pos())), text: fmt.Sprintf("Then the send at %s ends, whether anybody "+
		"receives or not, and the channel is garbage with what is in it.", p.ref(s.Pos()))}
}

// wayOut is the change for a send whose number is not known.
func (p *place) wayOut(s *ast.SendStmt, not []string) change {
	done := "ctx.Done()"
	if ctx := p.contextOf(); ctx != "" {
		done = ctx + ".Done()"
	}
	return change{name: "select-send", not: not, title: fmt.Sprintf("Let the send at %s end with who receives: a "+
		"select with <-%s", p.ref(s.Pos()), done), text: fmt.Sprintf("select { case %s <- %s: case <-%s: return }, "+
		"and cancel that context where the receiver leaves.", text(s.Chan), text(s.Value), done)}
}

// endInStop is the change for a loop over a ticker of a value that has a method to stop it: an end in that method.
func (p *place) endInStop(ticker ast.Expr, loop ast.Node) change {
	obj := p.object(ticker)
	for d := range p.functions() {
		if obj == nil || p.local(obj) || d == p.decl || d.Recv == nil || p.decl.Recv == nil ||
			typeName(p.info.TypeOf(d.Recv.List[0].Type)) != typeName(p.info.TypeOf(p.decl.Recv.List[0].Type)) {
			continue
		}
		stops := find(d.Body, func(c *ast.CallExpr) bool {
			sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Stop" && p.object(sel.X) == obj
		})
		if len(stops) == 0 {
			continue
		}
		return change{name: "end-in-stop", at: loop, not: []string{closeIt}, title: fmt.Sprintf("Let %s end the loop at "+
			"%s: a channel that it closes, in a select beside the ticker", d.Name.Name, p.ref(loop.Pos())),
			text: fmt.Sprintf("%s calls %s (%s), which ends no loop. Make a channel done where the ticker is made; for { "+
				"select { case <-%s.C: … case <-done: return } } at %s, and close(done) beside the Stop at %s.",
				d.Name.Name, text(stops[0].Fun), p.ref(stops[0].Pos()), text(ticker), p.ref(loop.Pos()),
				p.ref(stops[0].Pos()))}
	}
	return change{}
}

// contextOf is the name of the place's context, a parameter; "" without one.
func (p *place) contextOf() string {
	for _, o := range p.params() {
		if o != nil && isContext(o.Type()) {
			return o.Name()
		}
	}
	return ""
}

// counts is the number of turns of a loop over a number.
func (p *place) counts(l loop) string {
	r, ok := l.stmt.(*ast.RangeStmt)
	if !ok {
		return ""
	}
	if t := p.typeOf(r.X); t == nil || !isInteger(t) {
		return ""
	}
	return text(r.X)
}

// closing is the change for a receive from a channel that nothing closes: where who sends ends. ok is false where
// several send, or it is not known who does.
func (p *place) closing(ch *channel, n ast.Node) change {
	sends := everywhere(p.unit, func(s *ast.SendStmt) bool { return p.source(p.object(s.Chan), depth) == ch.obj })
	if len(sends) == 0 {
		return change{}
	}
	in := p.function(sends[0])
	for _, s := range sends {
		if p.function(s) != in {
			return change{}
		}
	}
	name := text(sends[0].Chan)
	if lit, is := in.(*ast.FuncLit); is && len(p.loopsAround(p.goStatement(lit, lit))) == 0 && p.local(ch.obj) {
		if g, is := p.goStatement(lit, nil).(*ast.GoStmt); is {
			return change{name: "close-at-end", at: g, title: fmt.Sprintf("Close %s where its sender ends: defer "+
				"close(%s) in the goroutine at %s", name, name, p.ref(g.Pos())), text: fmt.Sprintf("It alone sends, "+
				"at %s, and the receive at %s ends when it has returned.", p.ref(sends[0].Pos()), p.ref(n.Pos()))}
		}
	}
	d, is := in.(*ast.FuncDecl)
	if !is || !p.local(ch.obj) || d != p.declared(ch.made) {
		return change{}
	}
	return change{name: "close-at-end", at: sends[0], title: fmt.Sprintf("Close %s where %s ends: defer close(%s)",
		name, d.Name.Name, name), text: fmt.Sprintf("It alone sends, at %s, and the receive at %s ends when it has "+
		"returned.", p.ref(sends[0].Pos()), p.ref(n.Pos()))}
}

// untilDone is the change for a goroutine that waits for a context which its function was given, and outlives it.
func (p *place) untilDone(done *ast.CallExpr) (answers []answer) {
	lit, ok := p.fn.(*ast.FuncLit)
	sel, isSel := ast.Unparen(done.Fun).(*ast.SelectorExpr)
	if !ok || !isSel {
		return nil
	}
	g, ok := p.goStatement(lit, nil).(*ast.GoStmt)
	ctx := p.object(sel.X)
	i := slices.IndexFunc(p.params(), func(o types.Object) bool { return o != nil && o == ctx })
	if !ok || i < 0 || len(p.valuesOf(ctx)) > 0 || p.function(g) != ast.Node(p.decl) {
		return nil
	}
	if ls := p.loopsAround(done); len(ls) > 0 {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(lit.Body.List), func(s ast.Stmt) bool {
		return s.End() <= done.End() || inside(s, done)
	})
	if len(rest) == 0 || !inside(lit.Body.List[0], done) {
		return nil
	}
	name, does := text(sel.X), p.codeOf(rest)
	c := change{name: "after-func", at: g, not: []string{closeIt}, title: fmt.Sprintf("End it with %s: stop := "+
		"context.AfterFunc(%s, …); defer stop()", p.decl.Name.Name, name), text: fmt.Sprintf("In place of the go "+
		"statement at %s: stop := context.AfterFunc(%s, func() { %s }); defer stop(). Then no goroutine waits for %s "+
		"when %s has returned.", p.ref(g.Pos()), name, does, name, p.decl.Name.Name)}
	if closes := p.closedOnlyIn(lit); closes != "" {
		c.text += fmt.Sprintf(" And defer %s behind it: nothing else closes it.", closes)
		c.title = fmt.Sprintf("Close with %s, too: defer %s, and context.AfterFunc(%s, …) in place of the goroutine",
			p.decl.Name.Name, closes, name)
	}
	return becomes(p.confirms(fmt.Sprintf("the goroutine that %s begins at %s ends with %s alone, which %s is given "+
		"and cannot end", p.decl.Name.Name, p.ref(g.Pos()), name, p.decl.Name.Name), done.Pos(), g.Pos()), c)
}

// codeOf is statements as one line of code.
func (p *place) codeOf(list []ast.Stmt) string {
	if len(list) == 1 {
		if e, ok := list[0].(*ast.ExprStmt); ok {
			return code(e.X)
		}
	}
	return "…"
}

// closedOnlyIn is the call of Close in a literal, of what its function has opened and closes nowhere else.
func (p *place) closedOnlyIn(lit *ast.FuncLit) string {
	closes := func(root ast.Node) []*ast.CallExpr {
		return find(root, func(c *ast.CallExpr) bool {
			sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Close" && len(c.Args) == 0
		})
	}
	inner := closes(lit.Body)
	if len(inner) != 1 {
		return ""
	}
	obj := p.object(inner[0].Fun.(*ast.SelectorExpr).X)
	if obj == nil || !p.local(obj) {
		return ""
	}
	for _, c := range closes(p.decl.Body) {
		if c != inner[0] && p.object(c.Fun.(*ast.SelectorExpr).X) == obj {
			return ""
		}
	}
	return code(inner[0])
}

// madeAgain answers for goroutines that a function begins which makes something of constants alone, and is called for
// each of something: one is enough.
func madeAgain(q *inquiry) []answer {
	p := q.first()
	lit, ok := p.fn.(*ast.FuncLit)
	if !ok {
		return nil
	}
	g, ok := p.goStatement(lit, nil).(*ast.GoStmt)
	if !ok || p.function(g) != ast.Node(p.decl) || !p.returnsMade() {
		return nil
	}
	calls := p.callsOf(p.decl)
	if len(calls) != 1 || p.runsOnce(calls[0]) != "" || p.declared(calls[0]) == nil {
		return nil
	}
	call := calls[0]
	if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return p.info.Types[e].Value == nil }) {
		return nil
	}
	return becomes(p.confirms(fmt.Sprintf("%s begins a goroutine at %s, and %s calls it at %s with constants alone, "+
		"each time", p.decl.Name.Name, p.ref(g.Pos()), p.declared(call).Name.Name, p.ref(call.Pos())), g.Pos(),
		call.Pos()), change{name: "once", at: call, not: []string{closeIt}, title: fmt.Sprintf("Make %s once, in a "+
		"variable of package %s", code(call), p.files[0].Name.Name), text: fmt.Sprintf("%s makes it anew for each "+
		"call at %s, and its goroutine, begun at %s, stays: var shared = %s, and use that.",
		p.declared(call).Name.Name, p.ref(call.Pos()), p.ref(g.Pos()), code(call)), price: "all share what one had: " +
		"see that it is meant so"})
}

// returnsMade reports whether the place's function returns something.
func (p *place) returnsMade() bool {
	return p.decl.Type.Results != nil && p.decl.Recv == nil && len(p.decl.Type.Results.List) > 0
}

// keepsCancel is the change for a context that nothing cancels, at the line that makes it.
func (p *place) keepsCancel(a *ast.AssignStmt) change {
	ctx, cancel := text(a.Lhs[0]), text(a.Lhs[1])
	if cancel == "_" {
		cancel = "cancel"
	}
	return change{name: "cancel", at: a, not: []string{closeIt}, title: fmt.Sprintf("Cancel %s where its work ends: "+
		"defer %s() behind %s", ctx, cancel, p.ref(a.Pos())), text: fmt.Sprintf("%s, %s := %s; defer %s(), or hand "+
		"%s to who ends the work.", ctx, cancel, code(a.Rhs[0]), cancel, cancel)}
}

// handed is the call that hands a channel to somebody outside of the package, who may send to it.
func (p *place) handed(ch *channel) *ast.CallExpr {
	for _, call := range everywhere[*ast.CallExpr](p.unit, nil) {
		c := p.callee(call)
		if c.fn == nil || c.fn.Pkg() == nil || c.fn.Pkg() == p.pkg {
			continue
		}
		for i, e := range call.Args {
			params := c.fn.Signature().Params()
			if p.source(p.object(e), depth) != ch.obj || i >= params.Len() {
				continue
			}
			if t, ok := params.At(i).Type().Underlying().(*types.Chan); ok && t.Dir() != types.RecvOnly {
				return call
			}
		}
	}
	return nil
}

// takenBack answers for a receive from a channel that another package sends to: it is to be taken back from there, and
// to close it alone would have that package send to a closed channel.
func (p *place) takenBack(ch *channel, to *ast.CallExpr, n ast.Node) []answer {
	begin := fmt.Sprintf("%s, made at %s, is handed to %s at %s, which may send to it", ch.name, p.ref(ch.made.Pos()),
		text(to.Fun), p.ref(to.Pos()))
	back, obj := p.backOf(to)
	if obj == nil {
		return becomes(p.adds(begin, n.Pos(), to.Pos()), change{not: []string{closeIt}})
	}
	if len(everywhere(p.unit, func(c *ast.CallExpr) bool {
		return p.callee(c).fn == obj && p.source(p.object(c.Args[0]), depth) == ch.obj
	})) > 0 {
		return p.adds(begin+"; "+back+" is called, too", n.Pos(), to.Pos())
	}
	d := p.declared(to)
	if d == nil {
		return p.adds(begin, n.Pos(), to.Pos())
	}
	return becomes(p.confirms(begin+", and nothing calls "+back, n.Pos(), to.Pos()), change{name: "take-back", at: to,
		not: []string{closeIt}, title: fmt.Sprintf("Take %s back where %s ends: defer %s(%s)", ch.name, d.Name.Name,
			back,
			ch.name), text: fmt.Sprintf("%s at %s keeps the channel and sends to it: defer %s(%s) behind it, and "+
			"close it after that, so that the receive at %s ends. To close it alone makes the sender panic.",
			text(to.Fun), p.ref(to.Pos()),
			back, ch.name, p.ref(n.Pos()))})
}

// backOf is the function beside that of a call which takes such a channel and nothing else: signal.Stop of
// signal.Notify, with how the caller of that one writes it; nil without one.
func (p *place) backOf(to *ast.CallExpr) (name string, fn *types.Func) {
	c, sel := p.callee(to), ast.Unparen(to.Fun)
	takes := func(o types.Object) *types.Func {
		f, ok := o.(*types.Func)
		if !ok || !f.Exported() || f == c.fn || f.Signature().Params().Len() != 1 {
			return nil
		}
		given, is := f.Signature().Params().At(0).Type().Underlying().(*types.Chan)
		for v := range c.fn.Signature().Params().Variables() {
			t, ok := v.Type().Underlying().(*types.Chan)
			if is && ok && types.Identical(t.Elem(), given.Elem()) {
				return f
			}
		}
		return nil
	}
	x, ok := sel.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	if r := c.fn.Signature().Recv(); r != nil {
		for m := range types.NewMethodSet(r.Type()).Methods() {
			if f := takes(m.Obj()); f != nil {
				return text(x.X) + "." + f.Name(), f
			}
		}
		return "", nil
	}
	for _, name := range c.fn.Pkg().Scope().Names() {
		if f := takes(c.fn.Pkg().Scope().Lookup(name)); f != nil {
			return text(x.X) + "." + f.Name(), f
		}
	}
	return "", nil
}
