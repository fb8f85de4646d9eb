package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
)

// A channel is what the package does with one.
type channel struct {
	name string
	obj  types.Object
	// room is the length of its buffer by its make; -1 where no make is seen, -2 where the length is no constant.
	room     int64
	made     ast.Node
	receives []ast.Node // *ast.UnaryExpr or *ast.RangeStmt
	closes   []ast.Node
}

// channelOf finds what a channel's expression names: through variables, and results of functions of the package.
func (p *place) channelOf(e ast.Expr) *channel {
	obj := p.source(p.object(e), depth)
	if obj == nil {
		return nil
	}
	ch := &channel{name: text(e), obj: obj, room: -1}
	for _, v := range p.valuesOf(obj) {
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && p.builtin(call) == "make" {
			ch.made, ch.room = call, p.roomOf(call)
		}
	}
	same := func(e ast.Expr) bool { return p.source(p.object(e), depth) == obj }
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && same(n.X) {
					ch.receives = append(ch.receives, n)
				}
			case *ast.RangeStmt:
				if same(n.X) {
					ch.receives = append(ch.receives, n)
				}
			case *ast.CallExpr:
				if p.builtin(n) == "close" && len(n.Args) == 1 && same(n.Args[0]) {
					ch.closes = append(ch.closes, n)
				}
			}
			return true
		})
	}
	return ch
}

func (u *unit) roomOf(call *ast.CallExpr) int64 {
	if len(call.Args) < 2 {
		return 0
	}
	if v := u.info.Types[call.Args[1]].Value; v != nil {
		var n int64
		if _, err := fmt.Sscan(v.ExactString(), &n); err == nil {
			return n
		}
	}
	return -2
}

// source follows a variable that is the result of a function of this package to what that returns.
func (u *unit) source(obj types.Object, left int) types.Object {
	if obj == nil || left == 0 {
		return obj
	}
	for _, from := range u.results[obj] {
		for _, d := range u.bodies(from.call) {
			for _, r := range within[*ast.ReturnStmt](d.Body, nil) {
				if from.i < len(r.Results) {
					if o := u.object(r.Results[from.i]); o != nil {
						return u.source(o, left-1)
					}
				}
			}
		}
	}
	return obj
}

// A result is one of those of a call.
type result struct {
	call *ast.CallExpr
	i    int
}

// indexResults notes which variables get results of calls.
func (u *unit) indexResults() {
	u.results = make(map[types.Object][]result)
	for _, a := range everywhere(u, func(a *ast.AssignStmt) bool { return len(a.Rhs) == 1 }) {
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok {
			continue
		}
		for i, lhs := range a.Lhs {
			if obj := u.object(lhs); obj != nil {
				u.results[obj] = append(u.results[obj], result{call, i})
			}
		}
	}
}

// waitsForever looks at what goroutines wait for at the place, and whether that can come.
func waitsForever(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		var a []answer
		switch n := n.(type) {
		case *ast.SelectStmt:
			a = p.waitsInSelect(n)
		case *ast.SendStmt:
			a = p.sendsForever(n)
		case *ast.UnaryExpr:
			a = p.receivesForever(n.X, n)
		case *ast.RangeStmt:
			a = p.receivesForever(n.X, n)
		case *ast.CallExpr:
			if a = p.waitsForSignal(n); a == nil {
				a = p.groupNeverDone(n)
			}
		}
		if a != nil {
			return a
		}
	}
	return nil
}

// waitsHere are the nodes on the place's line at which a goroutine may wait, those in a select replaced by it.
func (p *place) waitsHere() (out []ast.Node) {
	for _, n := range within[ast.Node](p.body, nil) {
		switch x := n.(type) {
		case *ast.SelectStmt:
			if p.line(x.Pos()) == p.frame.Line {
				return []ast.Node{x}
			}
		case *ast.SendStmt, *ast.CallExpr:
			if p.spans(n, p.frame.Line) {
				out = append(out, n)
			}
		case *ast.UnaryExpr:
			if x.Op == token.ARROW && p.line(x.Pos()) == p.frame.Line {
				out = append(out, n)
			}
		case *ast.RangeStmt:
			if p.line(x.Pos()) == p.frame.Line {
				out = append(out, n)
			}
		}
	}
	return out
}

// waitsInSelect says what else ends a wait in a select: the request's own context does.
func (p *place) waitsInSelect(s *ast.SelectStmt) []answer {
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		for _, call := range find[*ast.CallExpr](comm, nil) {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Done" {
				continue
			}
			if inner, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok && p.callee(inner).method("net/http", "Request",
				"Context") {
				return p.contradicts(fmt.Sprintf("the select at %s ends with the request, too: %s at %s",
					p.ref(s.Pos()), text(call), p.ref(call.Pos())), s.Pos(), call.Pos())
			}
			for _, v := range p.valuesOf(p.object(sel.X)) {
				from, ok := ast.Unparen(v).(*ast.CallExpr)
				if ok && p.callee(from).is("context", "Background", "TODO", "WithoutCancel") {
					return p.confirms(fmt.Sprintf("the select at %s would end with %s, but nothing cancels what %s "+
						"makes", p.ref(s.Pos()), text(call), p.ref(v.Pos())), s.Pos(), call.Pos(), v.Pos())
				}
			}
			return p.adds(fmt.Sprintf("the select at %s also ends with %s at %s", p.ref(s.Pos()), text(call),
				p.ref(call.Pos())), s.Pos(), call.Pos())
		}
	}
	return nil
}

// sendsForever answers if nobody has to receive what a goroutine sends.
func (p *place) sendsForever(s *ast.SendStmt) []answer {
	if p.inSelect(s) {
		return nil
	}
	ch := p.channelOf(s.Chan)
	if ch == nil || ch.room != 0 {
		return nil
	}
	begin := fmt.Sprintf("%s, made at %s, has no buffer", ch.name, p.ref(ch.made.Pos()))
	at := []token.Pos{s.Pos(), ch.made.Pos()}
	for _, r := range ch.receives {
		why := p.mayNotReceive(s, r)
		if why == "" {
			return nil
		}
		begin += fmt.Sprintf("; who receives at %s %s", p.ref(r.Pos()), why)
		at = append(at, r.Pos())
		if sel := p.selectOf(r); sel != nil {
			at = append(at, sel.Pos())
		}
	}
	if len(ch.receives) == 0 {
		begin += ", and who receives is not in this package"
	}
	return becomes(p.confirms(begin+"; the send at "+p.ref(s.Pos())+" has no other way to end", at...), p.roomFor(s,
		ch))
}

// mayNotReceive says why a receive may not come for a send; "" if it comes each time.
func (p *place) mayNotReceive(s *ast.SendStmt, r ast.Node) string {
	if loop, ok := r.(*ast.RangeStmt); ok {
		if leavesLoop(rangeLoop(loop)) {
			return "may leave its loop"
		}
		return ""
	}
	if sel := p.selectOf(r); sel != nil && len(sel.Body.List) > 1 {
		if len(p.loopsAround(sel)) == 0 {
			return "is one case of a select, and another may come first"
		}
		for _, c := range sel.Body.List {
			if len(within(c, func(*ast.ReturnStmt) bool { return true })) > 0 {
				return "returns after one answer, or when it has waited enough"
			}
		}
	}
	sends := p.loopsAround(p.goStatement(p.function(s), s))
	if len(sends) > 0 && len(p.loopsAround(r)) == 0 {
		return fmt.Sprintf("receives once, of all that the loop at %s starts", p.ref(sends[0].stmt.Pos()))
	}
	if own := p.loopsAround(s); len(own) > 0 && len(p.loopsAround(r)) == 0 {
		return fmt.Sprintf("receives once, of all that the loop at %s sends", p.ref(own[0].stmt.Pos()))
	}
	for _, up := range p.outward(r)[1:] {
		switch up := up.(type) {
		case *ast.IfStmt:
			if up.Body.Pos() <= r.Pos() {
				return "does so in a branch only"
			}
		case *ast.CaseClause:
			return "does so in a branch only"
		case *ast.ForStmt, *ast.RangeStmt:
			if l, _ := p.asLoop(up); leavesLoop(l) {
				return "may leave its loop"
			}
		case *ast.FuncDecl, *ast.FuncLit:
			return ""
		}
	}
	return ""
}

// rangeLoop is a range statement as a loop.
func rangeLoop(r *ast.RangeStmt) loop { return loop{stmt: r, body: r.Body} }

// goStatement is the go statement of a literal, or the node itself.
func (p *place) goStatement(fn ast.Node, other ast.Node) ast.Node {
	if lit, ok := fn.(*ast.FuncLit); ok {
		for _, up := range p.outward(lit)[1:] {
			switch up := up.(type) {
			case *ast.GoStmt:
				return up
			case *ast.CallExpr:
			default:
				return other
			}
		}
	}
	return other
}

// startOf is the go statement that runs a function, or one that calls it.
func (u *unit) startOf(d *ast.FuncDecl, left int) *ast.GoStmt {
	for _, call := range u.callsOf(d) {
		if g, ok := u.outward(call)[1].(*ast.GoStmt); ok {
			return g
		}
		if by := u.declared(call); by != nil && left > 0 {
			if g := u.startOf(by, left-1); g != nil {
				return g
			}
		}
	}
	return nil
}

func (p *place) inSelect(n ast.Node) bool { return p.selectOf(n) != nil }

// selectOf is the select of which a node is a case's operation.
func (p *place) selectOf(n ast.Node) *ast.SelectStmt {
	var comm *ast.CommClause
	for _, up := range p.outward(n) {
		switch up := up.(type) {
		case *ast.CommClause:
			if up.Comm == nil || n.Pos() < up.Comm.Pos() || n.End() > up.Comm.End() {
				return nil
			}
			comm = up
		case *ast.SelectStmt:
			if comm != nil {
				return up
			}
			return nil
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		}
	}
	return nil
}

// receivesForever answers if nothing in the package ends a receive.
func (p *place) receivesForever(x ast.Expr, n ast.Node) []answer {
	if p.inSelect(n) {
		return nil
	}
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && p.callee(call).name == "Done" {
		if a := p.untilDone(call); a != nil {
			return a
		}
		return p.neverCancelled(call)
	}
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && sel.Sel.Name == "C" && p.ofType(sel.X, "time", "Ticker") {
		r, loops := n.(*ast.RangeStmt)
		if !loops || leavesLoop(rangeLoop(r)) {
			return nil
		}
		return becomes(p.confirms(fmt.Sprintf("the loop at %s has no way out: nothing closes the channel of a "+
			"ticker, and Stop does not end it", p.ref(n.Pos())), n.Pos()), p.endInStop(sel.X, n))
	}
	t := p.typeOf(x)
	if t == nil {
		return nil
	}
	if _, ok := t.Underlying().(*types.Chan); !ok {
		return nil
	}
	ch := p.channelOf(x)
	if ch == nil || len(ch.closes) > 0 || ch.made == nil {
		return nil
	}
	if to := p.handed(ch); to != nil {
		return p.takenBack(ch, to, n)
	}
	return becomes(p.confirms(fmt.Sprintf(
		"nothing in the package closes %s, made at %s, and the receive at %s has no other way to "+
			"end", ch.name, p.ref(ch.made.Pos()), p.ref(n.Pos())), n.Pos(), ch.made.Pos()), p.closing(ch, n))
}

// neverCancelled looks for the cancel function of a context that is waited for, and for who calls it.
func (p *place) neverCancelled(done *ast.CallExpr) []answer {
	sel, ok := ast.Unparen(done.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	ctx := p.object(sel.X)
	if ctx == nil {
		return nil
	}
	for _, a := range everywhere[*ast.AssignStmt](p.unit, nil) {
		if len(a.Lhs) != 2 || len(a.Rhs) != 1 || p.object(a.Lhs[0]) != ctx {
			continue
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok || !p.callee(call).is("context", "WithCancel", "WithTimeout", "WithDeadline", "WithCancelCause") {
			continue
		}
		cancel := p.object(a.Lhs[1])
		name := text(a.Lhs[1])
		if cancel == nil { // _
			return becomes(p.confirms(fmt.Sprintf("%s, made at %s, is never cancelled: its cancel function is thrown "+
				"away", text(sel.X), p.ref(a.Pos())), done.Pos(), a.Pos()), p.keepsCancel(a))
		}
		if p.callee(call).name != "WithCancel" && p.callee(call).name != "WithCancelCause" {
			return nil // time ends it
		}
		uses := everywhere(p.unit, func(id *ast.Ident) bool {
			return syntax.Origin(p.info.Uses[id]) == cancel &&
				!inside(a, id)
		})
		if len(uses) == 0 {
			return becomes(p.confirms(fmt.Sprintf("nothing calls %s, by which %s, made at %s, would end; the wait at "+
				"%s is for that only", name, text(sel.X), p.ref(a.Pos()), p.ref(done.Pos())), done.Pos(), a.Pos()),
				p.keepsCancel(a))
		}
		return p.adds(fmt.Sprintf("%s, which ends the wait at %s, is used at %s", name, p.ref(done.Pos()),
			p.ref(uses[0].Pos())), done.Pos(), uses[0].Pos())
	}
	return nil
}

// inside reports whether a node is within another.
func inside(outer, n ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// waitsForSignal looks at sync.Cond: Signal wakes one of all that wait, whatever for.
func (p *place) waitsForSignal(call *ast.CallExpr) []answer {
	cond := p.conditionOf(call)
	if cond == nil {
		return nil
	}
	signals, broadcasts := p.wakes(cond)
	switch {
	case len(broadcasts) > 0:
		return p.adds(fmt.Sprintf("Broadcast at %s wakes all that wait at %s", p.ref(broadcasts[0].Pos()),
			p.ref(call.Pos())), call.Pos(), broadcasts[0].Pos())
	case len(signals) == 0:
		return p.confirms("nothing in the package wakes who waits at "+p.ref(call.Pos()), call.Pos())
	}
	return p.confirms(fmt.Sprintf("Signal at %s wakes one of all that wait at %s, and Broadcast is called nowhere; "+
		"the wait does not end with a context either", p.ref(signals[0].Pos()), p.ref(call.Pos())), call.Pos(),
		signals[0].Pos())
}

// conditionOf is the condition variable for which a node waits; nil for others.
func (u *unit) conditionOf(n ast.Node) types.Object {
	if call, ok := n.(*ast.CallExpr); ok && u.callee(call).method("sync", "Cond", "Wait") {
		return u.object(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
	}
	return nil
}

// wakes are the calls that wake one of those who wait for a condition variable, and all of them.
func (u *unit) wakes(cond types.Object) (signals, broadcasts []*ast.CallExpr) {
	on := func(method string) []*ast.CallExpr {
		return everywhere(u, func(call *ast.CallExpr) bool {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			return ok && u.object(sel.X) == cond && u.callee(call).method("sync", "Cond", method)
		})
	}
	return on("Signal"), on("Broadcast")
}

// whoReceives looks at the other side of a send that waits: at the first place where somebody waits for a channel,
// since a finding may name what the reader does before the senders.
func whoReceives(q *inquiry) []answer {
	for _, p := range q.places {
		if slices.ContainsFunc(p.waitsHere(), func(n ast.Node) bool { _, calls := n.(*ast.CallExpr); return !calls }) {
			return p.whoReceives()
		}
	}
	return nil
}

func (p *place) whoReceives() []answer {
	for _, n := range p.waitsHere() {
		s, ok := n.(*ast.SendStmt)
		if !ok {
			continue
		}
		ch := p.channelOf(s.Chan)
		if ch == nil || len(ch.receives) != 1 {
			continue
		}
		r := ch.receives[0]
		room := "a buffer"
		switch {
		case ch.made == nil:
			room = "a buffer that is not known"
		case ch.room == 0:
			room = fmt.Sprintf("no buffer (%s)", p.ref(ch.made.Pos()))
		case ch.room > 0:
			room = fmt.Sprintf("room for %d (%s)", ch.room, p.ref(ch.made.Pos()))
		}
		at := []token.Pos{s.Pos(), r.Pos()}
		if ch.made != nil {
			at = append(at, ch.made.Pos())
		}
		said := fmt.Sprintf("%s has %s, and is received from at %s only", ch.name, room, p.ref(r.Pos()))
		if w, ok := p.doesMeanwhile(r); ok {
			return becomes(p.confirms(said+"; before it receives again, that goroutine does "+p.waitText(w),
				append(at, w.at, w.in)...), p.outOfLoop(r, w))
		}
		return p.adds(said, at...)
	}
	return nil
}

// doesMeanwhile is what a receiver does between two receives.
func (p *place) doesMeanwhile(r ast.Node) (does wait, ok bool) {
	var body ast.Node
	if loop, ok := r.(*ast.RangeStmt); ok {
		body = loop.Body
	} else {
		for _, up := range p.outward(r)[1:] {
			if c, ok := up.(*ast.CommClause); ok && body == nil {
				body = c
			}
			if l, ok := p.asLoop(up); ok && body == nil {
				body = l.body
			}
		}
	}
	if body == nil {
		return wait{}, false
	}
	var called *ast.CallExpr
	for _, call := range within[*ast.CallExpr](body, nil) {
		if w, ok := p.waitsIn(call, true); ok {
			return w, true
		}
		if called == nil && len(p.bodies(call)) > 0 {
			called = call
		}
	}
	if called == nil {
		return wait{}, false
	}
	return wait{at: called.Pos(), what: text(called.Fun)}, true
}

// whoStarts names the go statement of the goroutines at the place.
func whoStarts(q *inquiry) []answer {
	p := q.first()
	starts := p.begunAt()
	if len(starts) != 1 {
		return nil
	}
	return p.adds(fmt.Sprintf("the go statement at %s in %s starts them%s", p.ref(starts[0].Pos()),
		p.declared(starts[0]).Name.Name, p.inALoop(starts[0])), starts[0].Pos())
}

func (p *place) inALoop(g *ast.GoStmt) string {
	if ls := p.loopsAround(g); len(ls) > 0 {
		return ", one for each turn of the loop at " + p.ref(ls[0].stmt.Pos())
	}
	return ""
}
