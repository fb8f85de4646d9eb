package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// A lifetime is what a function has begun and has to end: the body of a response, what it opened, a place in a
// semaphore, its part in a WaitGroup.
type lifetime struct {
	begin ast.Node     // the statement; a function, whose first line begins it
	call  ast.Node     // what begins it there
	obj   types.Object // what the call gives; nil without
	err   types.Object // what the call says if it has failed; nil without
	name  string       // "resp.Body", "conn", "sem"
	end   string       // the code that ends it: "conn.Close()"
	ends  func(n ast.Node) bool
	hands func(up []ast.Node) bool // whether a mention of obj, with what is around it, gives it to who may end it
}

// A way is how far one way through a function has come.
type way struct{ begun, ended bool }

func (a way) or(b way) way {
	return way{a.begun || b.begun, (!a.begun || a.ended) && (!b.begun || b.ended)}
}

// An endWalk follows a lifetime to the ways out of its function.
type endWalk struct {
	*unit
	lifetime
	loop  ast.Node    // the innermost around its begin; nil without
	left  []token.Pos // ways out on which it is not ended
	gone  bool        // somebody else has it
	ended []token.Pos
}

// follow walks a function that begins a lifetime.
func (u *unit) follow(body *ast.BlockStmt, l lifetime) *endWalk {
	w := &endWalk{unit: u, lifetime: l}
	if ls := u.loopsAround(l.call); len(ls) > 0 && l.begin != ast.Node(body) {
		w.loop = ls[0].stmt
	}
	flow := syntax.Flow[way]{Comms: true, Step: w.step, See: w.see, Join: way.or, Turn: w.turn,
		Skip: func(s *ast.IfStmt, at way) bool { return at.begun && w.failed(s.Cond) }} // then there is nothing to end
	if at, leaves := flow.List(body.List, way{begun: l.begin == ast.Node(body)}); !leaves {
		w.leave(body.Rbrace, at)
	}
	return w
}

// see looks at what stands before blocks: a condition may hand on what is to be ended.
func (w *endWalk) see(n ast.Node, at way) {
	if e, ok := n.(ast.Expr); ok {
		w.passes(e, at)
	}
}

func (w *endWalk) leave(at token.Pos, x way) {
	if x.begun && !x.ended {
		w.left = append(w.left, at)
	}
}

func (w *endWalk) step(s ast.Stmt, at way) (after way, leaves bool) {
	if ast.Node(s) == w.begin {
		return way{begun: true}, false
	}
	if b, ok := s.(*ast.BranchStmt); ok {
		if w.loop != nil && inside(w.loop, s) && (b.Tok == token.CONTINUE || b.Tok == token.BREAK && w.breaks(b)) {
			w.leave(s.Pos(), at)
		}
		return at, true
	}
	w.passes(s, at)
	at.ended = at.ended || at.begun && w.endsIn(s)
	switch s := s.(type) {
	case *ast.ReturnStmt:
		w.leave(s.Pos(), at)
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return at, ok && w.endsAll(call)
	}
	return at, false
}

// endsAll reports whether nothing comes behind a call.
func (u *unit) endsAll(call *ast.CallExpr) bool {
	c := u.callee(call)
	return u.builtin(call) == "panic" || c.is("os", "Exit") || c.is("runtime", "Goexit") ||
		c.path == "log" && strings.HasPrefix(c.name, "Fatal")
}

// breaks reports whether a break leaves the loop of the begin, and not a switch or select in it.
func (w *endWalk) breaks(s *ast.BranchStmt) bool {
	for _, up := range w.outward(s)[1:] {
		switch up.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return s.Label != nil
		case *ast.ForStmt, *ast.RangeStmt:
			return up == w.loop
		}
	}
	return false
}

// turn is how far the way is behind a loop. What begins in a turn has to end in it.
func (w *endWalk) turn(s ast.Stmt, at, after way, leaves bool) way {
	l, _ := w.asLoop(s)
	if ast.Node(s) == w.loop {
		if !leaves {
			w.leave(l.body.Rbrace, after)
		}
		return at
	}
	if forever, ok := s.(*ast.ForStmt); ok && forever.Cond == nil {
		return after
	}
	at.ended = at.ended || after.begun && after.ended // a loop that waits for its end is meant to have a turn
	return at
}

// failed reports whether a condition is that the call has failed: err != nil, of its own error, before any other call
// has set that; or that it gave nothing.
func (w *endWalk) failed(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if o := w.object(b.X); b.Op == token.NEQ && o != nil && o == w.err {
		return !w.setAgain(b)
	}
	return b.Op == token.EQL && w.obj != nil && w.object(b.X) == w.obj && text(b.Y) == "nil"
}

// setAgain reports whether the error is assigned between the call and a condition.
func (w *endWalk) setAgain(cond ast.Node) bool {
	return len(everywhere(w.unit, func(a *ast.AssignStmt) bool {
		return a.Pos() > w.begin.Pos() && a.Pos() < cond.Pos() &&
			slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return w.object(e) == w.err })
	})) > 0
}

// endsIn reports whether a node ends the lifetime, also within a literal that is called there.
func (w *endWalk) endsIn(n ast.Node) bool {
	all := find(n, w.ends)
	for _, n := range all {
		w.ended = append(w.ended, n.Pos())
	}
	return len(all) > 0
}

// passes notes if what is to be ended goes to somebody who may end it.
func (w *endWalk) passes(n ast.Node, at way) {
	if !at.begun || w.obj == nil || w.gone {
		return
	}
	for _, id := range find(n, func(id *ast.Ident) bool { return w.info.Uses[id] == w.obj }) {
		if up := w.outward(id); len(up) > 1 && w.hands(up) {
			w.gone = true
		}
	}
}

// leftOpen says on which ways out something is left, as what has it.
func (p *place) leftOpen(w *endWalk, what string) []answer {
	var refs []string
	for _, at := range w.left {
		refs = append(refs, p.ref(at))
	}
	in := "its function"
	if d := p.declared(w.call); d != nil {
		in = d.Name.Name
	}
	c := change{name: "end-on-each-way", at: w.call, not: []string{closeIt}, title: fmt.Sprintf("End it on each way "+
		"out of %s: defer %s", in, w.end), text: fmt.Sprintf("The way out at %s does not end %s: defer %s behind %s.",
		among(refs), w.name, w.end, p.ref(w.call.Pos()))}
	if w.loop != nil {
		c.title = fmt.Sprintf("Call %s before the way out of the turn at %s, too", w.end, refs[0])
		c.text = fmt.Sprintf("It leaves %s as it is, which %s begins in each turn: end it there, or make the turn a "+
			"function and defer %s.", w.name, p.ref(w.call.Pos()), w.end)
	}
	return becomes(p.confirms(fmt.Sprintf("the way out of %s at %s leaves %s", in, among(refs), what),
		append(w.left, w.call.Pos())...), c)
}
