package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/syntax"
)

// Who could end a wait: the source says by which operations, and in which functions of the package; the evidence says
// how many goroutines are in these functions, and what they do meanwhile.

// An end is who ends a wait.
type end struct {
	ops  []ast.Node              // that end it
	fns  []ast.Node              // in which they are, and by which these are reached, inner ones first
	goes map[ast.Node][]ast.Node // the go statements that begin with one of these
	busy serving                 // who are in these functions, and do something else
	idle serving                 // who wait there for work
}

// A serving is goroutines in functions that end others' wait.
type serving struct {
	most *facts.Crowd // the largest
	n    []int64      // all of them, in each capture
}

func (s *serving) add(c *facts.Crowd) {
	if s.most == nil || c.Last() > s.most.Last() {
		s.most = c
	}
	for len(s.n) < len(c.N) {
		s.n = append(s.n, 0)
	}
	for i, n := range c.N {
		s.n[i] += n
	}
}

// steady is how many there are in each capture; 0 where the number differs.
func (s *serving) steady() int64 {
	if len(s.n) == 0 || slices.Min(s.n) != slices.Max(s.n) {
		return 0
	}
	return s.n[0]
}

// at is where most of them stand.
func (s *serving) at() string {
	f := s.most.Frames[0]
	return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
}

// leastServed is how many wait for each goroutine that serves before these are too few.
const leastServed = 2

// whoEnds answers for requests that wait for goroutines of the program, by what these do meanwhile.
func whoEnds(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		if of := p.conditionOf(n); of != nil {
			return q.signalled(n, of)
		}
		e, ok := q.endOf(n)
		if !ok {
			continue
		}
		busy, waits := e.busy.steady(), q.waiting()
		switch {
		case e.busy.most.Thing == facts.Running || e.busy.most.Thing == facts.ForLock:
		case busy > 0 && e.idle.most == nil && leastServed*busy <= waits:
			return q.allBusy(n, &e)
		case e.idle.most != nil && slices.Min(e.idle.n) > 0 && leastServed*slices.Max(e.busy.n) <= waits:
			return q.uneven(n, &e)
		}
	}
	return nil
}

// endOf finds who ends a wait for a channel at the first place; false where that is not known, is done by requests, or
// by those that wait.
func (q *inquiry) endOf(wait ast.Node) (e end, ok bool) {
	p := q.first()
	if s, is := wait.(*ast.SelectStmt); is {
		wait = p.awaitedAlone(s)
	}
	r, is := wait.(*ast.UnaryExpr)
	if !is {
		return e, false
	}
	e.ops = p.endsReceive(r.X)
	e.fns, e.goes = p.leadTo(e.ops)
	if len(e.ops) == 0 || slices.Contains(e.fns, p.fn) {
		return e, false
	}
	for i := range q.crowds {
		c := &q.crowds[i]
		at := c.Frames[0]
		switch {
		case !slices.ContainsFunc(c.Frames, func(f facts.Frame) bool { return p.isIn(f, e.fns...) }):
		case c.Request:
			return e, false
		case c.Thing == facts.ForChannel && p.isIn(at, e.fns...):
			e.idle.add(c)
		default:
			e.busy.add(c)
		}
	}
	if e.busy.most == nil {
		return e, false
	}
	e.fns = slices.DeleteFunc(e.fns, func(fn ast.Node) bool { // others end such waits, too
		return !slices.ContainsFunc(e.busy.most.Frames, func(f facts.Frame) bool { return p.isIn(f, fn) })
	})
	return e, q.waiting() > 0
}

// awaitedAlone is the one receive of a select beside timers and ends of contexts; nil without.
func (p *place) awaitedAlone(s *ast.SelectStmt) (alone ast.Node) {
	for _, r := range within(s, func(r *ast.UnaryExpr) bool { return r.Op == token.ARROW }) {
		if a := syntax.AwaitedBy(p.info, r.X); a.Others == 0 || !inside(p.commOf(s, r), r) {
			continue
		}
		if alone != nil {
			return nil
		}
		alone = r
	}
	return alone
}

// commOf is what a case of a select waits for, of the case that has a node.
func (p *place) commOf(s *ast.SelectStmt, n ast.Node) ast.Node {
	for _, c := range s.Body.List {
		if comm := c.(*ast.CommClause).Comm; comm != nil && inside(c, n) {
			return comm
		}
	}
	return s
}

// endsReceive are the sends to a channel, and its closes, under each of its names in the package.
func (p *place) endsReceive(ch ast.Expr) []ast.Node {
	names := p.names(p.source(p.object(ch), depth))
	return everywhere(p.unit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return names[p.source(p.object(n.Chan), depth)]
		case *ast.CallExpr:
			return p.builtin(n) == "close" && len(n.Args) == 1 && names[p.source(p.object(n.Args[0]), depth)]
		}
		return false
	})
}

// names are a variable and all that are given it: parameters, fields and other variables.
func (u *unit) names(o types.Object) map[types.Object]bool {
	all := map[types.Object]bool{}
	if o == nil {
		return all
	}
	all[o] = true
	for range depth {
		for _, call := range everywhere[*ast.CallExpr](u, nil) {
			for i, e := range call.Args {
				for _, d := range u.bodies(call) {
					if at, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && at.Op == token.AND {
						e = at.X
					}
					if to := paramAt(u, d, i); to != nil && all[u.object(e)] {
						all[to] = true
					}
				}
			}
		}
		for _, a := range everywhere(u, func(a *ast.AssignStmt) bool { return len(a.Lhs) == len(a.Rhs) }) {
			for i, e := range a.Rhs {
				if to := u.object(a.Lhs[i]); to != nil && all[u.object(e)] {
					all[to] = true
				}
			}
		}
		for _, kv := range everywhere[*ast.KeyValueExpr](u, nil) {
			if to, ok := u.object(kv.Key).(*types.Var); ok && to.IsField() && all[u.object(kv.Value)] {
				all[to] = true
			}
		}
	}
	return all
}

// leadTo are the functions of the package in which nodes are or by which they are reached, and the go statements that
// begin with each. main is not among them: it begins what ends waits, and ends none.
func (p *place) leadTo(ops []ast.Node) (fns []ast.Node, goes map[ast.Node][]ast.Node) {
	goes = make(map[ast.Node][]ast.Node)
	for in := slices.Clone(ops); len(in) > 0; in = in[1:] {
		fn := p.function(in[0])
		if fn == nil || slices.Contains(fns, fn) {
			continue
		}
		if d, ok := fn.(*ast.FuncDecl); ok {
			if d.Recv == nil && d.Name.Name == "main" {
				continue
			}
			for _, call := range p.callsOf(d) {
				if g, ok := p.outward(call)[1].(*ast.GoStmt); ok {
					goes[fn] = append(goes[fn], g)
				} else {
					in = append(in, call)
				}
			}
		} else if g := p.goStatement(fn, nil); g != nil {
			goes[fn] = append(goes[fn], g)
		} else {
			in = append(in, fn)
		}
		fns = append(fns, fn)
	}
	return fns, goes
}

// isIn reports whether a line of the evidence is in one of some functions.
func (u *unit) isIn(f facts.Frame, fns ...ast.Node) bool {
	return slices.ContainsFunc(fns, func(fn ast.Node) bool {
		from, d := u.fset.Position(fn.Pos()), u.declared(fn)
		return d != nil && from.Line <= f.Line && f.Line <= u.line(fn.End()) &&
			path.Base(f.File) == filepath.Base(from.Filename) && syntax.Names(f.Function, d.Name.Name)
	})
}

// signalled answers for a condition whose waiters each wait for something of their own, and of whom one is woken,
// whichever it is.
func (q *inquiry) signalled(wait ast.Node, of types.Object) []answer {
	p := q.first()
	signals, broadcasts := p.wakes(of)
	ls := p.loopsAround(wait)
	if len(signals) == 0 || len(broadcasts) > 0 || len(ls) == 0 {
		return nil
	}
	loop, ok := ls[0].stmt.(*ast.ForStmt)
	if !ok || loop.Cond == nil || !p.hasOwn(loop.Cond) {
		return nil
	}
	s, until := signals[0], text(loop.Cond)
	return q.titled(becomes(p.confirms(fmt.Sprintf("who waits at %s waits until %s is no longer so, which is another "+
		"one for each; Signal at %s wakes one of them, whichever it is, and Broadcast is called nowhere",
		p.ref(wait.Pos()), until, p.ref(s.Pos())), wait.Pos(), s.Pos()), change{name: "broadcast", at: s, not: []string{doItLess},
		title: fmt.Sprintf("Broadcast in place of Signal at %s", p.ref(s.Pos())), text: fmt.Sprintf("One that is woken "+
			"and finds %s waits again, and the wakeup is lost for the one that it was meant for. Broadcast wakes all "+
			"that wait at %s; where they are many, give each a channel of its own.", until, p.ref(wait.Pos())),
		price: "all wake at each change"}), "a wakeup that goes to any one of them")
}

// hasOwn reports whether an expression has a variable or parameter of the place's function in it, and not only fields
// of them.
func (p *place) hasOwn(e ast.Expr) bool {
	return len(find(e, func(id *ast.Ident) bool {
		o, ok := p.info.Uses[id].(*types.Var)
		_, field := p.outward(id)[1].(*ast.SelectorExpr)
		return ok && !field && p.local(o) && p.fn.Pos() <= o.Pos() && o.Pos() < p.fn.End()
	})) > 0
}

// serves is the name of the function with which goroutines begin that end the wait.
func (p *place) serves(e *end) string {
	if d := p.declared(e.fns[len(e.fns)-1]); d != nil {
		return d.Name.Name
	}
	return "it"
}

// titled names the finding of an answer: how many wait at the first place, and for whom.
func (q *inquiry) titled(as []answer, whom string) []answer {
	p := q.first()
	as[0].title = fmt.Sprintf("%d requests wait at %s:%d for %s", q.waiting(), path.Base(p.frame.File), p.frame.Line, whom)
	return as
}

// waiting is how many stand at the first place.
func (q *inquiry) waiting() (n int64) {
	p := q.first()
	for i := range q.crowds {
		if at := q.crowds[i].Frames[0]; at.Line == p.frame.Line && p.isIn(at, p.fn) {
			n += q.crowds[i].Last()
		}
	}
	return n
}

// allBusy answers where all who could end the wait do something that takes long, for one after the other.
func (q *inquiry) allBusy(n ast.Node, e *end) []answer {
	p := q.first()
	who, at, busy := p.serves(e), e.busy.at(), e.busy.steady()
	lines := []token.Pos{n.Pos(), e.ops[0].Pos()}
	for _, s := range e.goes[e.fns[len(e.fns)-1]] {
		lines = append(lines, s.Pos())
	}
	whom := fmt.Sprintf("one goroutine of %s, which stands at %s itself", who, at)
	if busy > 1 {
		whom = fmt.Sprintf("%d goroutines of %s, which all stand at %s", busy, who, at)
	}
	return q.titled(becomes(p.confirms(fmt.Sprintf("what ends the wait at %s is done at %s, in %s; %d goroutines are there, "+
		"none of them waits for work, and most are at %s", p.ref(n.Pos()), p.ref(e.ops[0].Pos()), who, busy, at), lines...),
		q.moreServing(e)), whom)
}

// moreServing is the change for goroutines that are too few for what is asked of them.
func (q *inquiry) moreServing(e *end) change {
	p := q.first()
	if e.busy.steady() == 1 {
		if c := p.oneForEach(e); c.name != "" {
			return c
		}
		for _, fn := range e.fns {
			for _, r := range p.receivesIn(fn) {
				if w, ok := p.doesMeanwhile(r); ok {
					return p.outOfLoop(r, w)
				}
			}
		}
		return change{}
	}
	who := p.serves(e)
	for _, s := range e.goes[e.fns[len(e.fns)-1]] {
		if ls := p.loopsAround(s); len(ls) > 0 {
			return change{name: "start-more", at: ls[0].stmt, not: []string{doItLess}, title: fmt.Sprintf("Start more than %d of "+
				"%s at %s%s", e.busy.steady(), who, p.ref(s.Pos()), q.numberOf(ls[0])), text: fmt.Sprintf("They wait at %s, and "+
				"need no processor meanwhile: as many as are asked for in the time that one takes (rate × time), and some to "+
				"spare, but no more than the other side can take.", e.busy.at()), price: "more load on what they wait for"}
		}
	}
	return change{}
}

// receivesIn are the receives that a function does again and again.
func (p *place) receivesIn(fn ast.Node) []ast.Node {
	return within(syntax.BodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			t := p.typeOf(n.X)
			if t == nil {
				return false
			}
			_, ok := t.Underlying().(*types.Chan)
			return ok
		case *ast.UnaryExpr:
			return n.Op == token.ARROW && len(p.loopsAround(n)) > 0
		}
		return false
	})
}

// oneForEach is the change for one goroutine that goes through all who have work, and serves each: one for each.
func (p *place) oneForEach(e *end) change {
	for _, fn := range e.fns {
		for _, s := range within[ast.Stmt](syntax.BodyOf(fn), nil) {
			l, ok := p.asLoop(s)
			if !ok || l.over == nil || l.elem == nil {
				continue
			}
			for _, call := range within(l.body, func(c *ast.CallExpr) bool { return p.mentions(c, p.object(l.elem)) }) {
				for _, d := range p.bodies(call) {
					i := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return p.object(a) == p.object(l.elem) })
					if i < 0 || !slices.Contains(e.fns, ast.Node(d)) || !p.takesFrom(d, paramAt(p.unit, d, i)) {
						continue
					}
					over := text(l.over)
					return change{name: "one-for-each", at: s, not: []string{doItLess}, title: fmt.Sprintf("Give each of %s a "+
						"goroutine of its own, in place of the loop at %s", over, p.ref(s.Pos())), text: fmt.Sprintf("The loop "+
						"serves one after the other, and waits at %s: who waits for one of them waits for the slow ones, too. for "+
						"… := range %s { go … }, each of which repeats %s for its own.", e.busy.at(), over, text(call.Fun)),
						price: "more calls at the same time"}
				}
			}
		}
	}
	return change{}
}

// takesFrom reports whether a function receives from a channel that a parameter has.
func (p *place) takesFrom(d *ast.FuncDecl, param types.Object) bool {
	return param != nil && len(find(d.Body, func(x *ast.UnaryExpr) bool {
		return x.Op == token.ARROW && syntax.Root(p.info, x.X) == param
	})) > 0
}

// numberOf says what decides how often a loop runs, and where that is set: " (desks, desks.go:6)".
func (q *inquiry) numberOf(l loop) string {
	p := q.first()
	var n ast.Expr
	switch s := l.stmt.(type) {
	case *ast.RangeStmt:
		n = s.X
	case *ast.ForStmt:
		if b, ok := s.Cond.(*ast.BinaryExpr); ok {
			n = b.Y
		}
	}
	if n == nil {
		return ""
	}
	d := p.declared(l.stmt)
	i := slices.Index(p.in(d).params(), p.object(n))
	if i < 0 || p.object(n) == nil {
		return fmt.Sprintf(" (%s)", text(n))
	}
	for _, u := range q.packages() {
		if calls := everywhere(u, func(c *ast.CallExpr) bool {
			return i < len(c.Args) && u.calls(c, p.unit, d)
		}); len(calls) > 0 {
			call := calls[0]
			at := u.fset.Position(call.Pos())
			if o := u.object(call.Args[i]); o != nil && o.Pkg() == u.pkg {
				at = u.fset.Position(o.Pos())
			}
			return fmt.Sprintf(" (%s, %s:%d)", text(call.Args[i]), filepath.Base(at.Filename), at.Line)
		}
	}
	return fmt.Sprintf(" (%s)", text(n))
}

// calls reports whether a call is of a function that another package declares: each package has objects of its own.
func (u *unit) calls(c *ast.CallExpr, of *unit, d *ast.FuncDecl) bool {
	fn := u.callee(c).fn
	return fn != nil && fn.Name() == d.Name.Name && fn.Pkg() != nil && of.pkg != nil && fn.Pkg().Path() == of.pkg.Path()
}

// uneven answers where most wait for few of those that serve, while others have nothing to do: who deals out chooses by
// what most have in common.
func (q *inquiry) uneven(n ast.Node, e *end) []answer {
	p := q.first()
	for _, s := range find[*ast.SendStmt](p.decl.Body, nil) {
		x, ok := ast.Unparen(s.Chan).(*ast.IndexExpr)
		for _, v := range p.valuesOf(p.object(s.Chan)) {
			if at, is := ast.Unparen(v).(*ast.IndexExpr); is {
				x, ok = at, true
			}
		}
		if !ok {
			continue
		}
		who, by, at := p.serves(e), "what they have in common", ast.Node(s)
		if k := p.dealtBy(x.Index); k != nil {
			by, at = fmt.Sprintf("%s (%s)", text(k), p.ref(k.Pos())), k
		}
		busy, idle := slices.Max(e.busy.n), slices.Min(e.idle.n)
		return q.titled(becomes(p.confirms(fmt.Sprintf("%s at %s chooses by %s which goroutine of %s gets it; %d of them wait for "+
			"work at %s, and %d are at %s", text(x), p.ref(x.Pos()), by, who, idle, e.idle.at(), busy, e.busy.at()), n.Pos(),
			x.Pos(), at.Pos()), change{name: "deal-evenly", at: at, not: []string{doItLess}, title: fmt.Sprintf("Choose among %s "+
			"by what differs from one to the other, not by %s", text(x.X), by), text: "Nearly all go to the same one. What has " +
			"to keep its order needs the same one for the same account, order or user, and no more; where there is no order to " +
			"keep, one channel for all deals by itself.", price: "what had one order together may not have it"}),
			fmt.Sprintf("%d of %d goroutines of %s, and the others are idle", busy, busy+idle, who))
	}
	return nil
}

// dealtBy is what an index is made of: a field of a parameter, or what a function of the package returns; nil where it is
// not seen.
func (p *place) dealtBy(index ast.Node) ast.Expr {
	seen := make(map[types.Object]bool)
	look := []ast.Node{index}
	for range depth {
		var next []ast.Node
		for _, n := range look {
			for _, call := range find[*ast.CallExpr](n, nil) {
				for _, d := range p.bodies(call) {
					if r := within(d.Body, func(r *ast.ReturnStmt) bool { return len(r.Results) == 1 }); len(r) == 1 {
						return r[0].Results[0]
					}
				}
			}
			for _, sel := range find[*ast.SelectorExpr](n, nil) {
				v, ok := p.object(sel).(*types.Var)
				if ok && v.IsField() && slices.Contains(p.params(), syntax.Root(p.info, sel)) {
					return sel
				}
			}
			for _, id := range find[*ast.Ident](n, nil) {
				o, ok := p.info.Uses[id].(*types.Var)
				if !ok || seen[o] || !p.local(o) || p.isReceiver(id) {
					continue
				}
				seen[o] = true
				if _, plain := o.Type().Underlying().(*types.Basic); plain && slices.Contains(p.params(), types.Object(o)) {
					return id
				}
				for _, v := range p.valuesOf(o) {
					next = append(next, v)
				}
				for _, call := range find(p.decl.Body, func(c *ast.CallExpr) bool { return p.mentions(c, o) }) {
					next = append(next, call)
				}
			}
		}
		look = next
	}
	return nil
}
