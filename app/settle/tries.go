package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
)

// triesAgain answers for requests that let time pass before they call again: whether what they call has answered.
func triesAgain(q *inquiry) []answer {
	for _, p := range q.places {
		i := slices.IndexFunc(p.waitsHere(), func(n ast.Node) bool { return syntax.LetsTimePass(p.info, n) })
		if i < 0 || len(p.loopsAround(p.waitsHere()[i])) == 0 {
			continue
		}
		pause := p.waitsHere()[i]
		l := p.loopsAround(pause)[0]
		if test := syntax.TakesEachStatus(p.info, p.deciding(l)); test != nil {
			return becomes(p.confirms(fmt.Sprintf("the loop at %s lets time pass at %s before it goes on, and %s at %s takes "+
				"each answer but one for a failure that passes", p.ref(l.stmt.Pos()), p.ref(pause.Pos()), text(test),
				p.ref(test.Pos())), pause.Pos(), test.Pos()), change{name: "retry-what-passes", at: test, title: fmt.Sprintf(
				"Do not try again what has been answered (%s)", code(test)), text: fmt.Sprintf("At %s this is true of a 404, too, "+
				"and of all that will be the same a moment later. What is worth another try: no answer (an error of the "+
				"connection), 429, and 500 and above.", p.ref(test.Pos()))})
		}
	}
	return nil
}

// looksAgain answers for requests that sleep until something is so which another function of the package writes: that
// one can tell them.
func looksAgain(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		ls := p.loopsAround(n)
		if !syntax.LetsTimePass(p.info, n) || len(ls) == 0 || len(within(ls[0].stmt, p.mayCallOut)) > 0 ||
			len(within(ls[0].body, func(c *ast.CallExpr) bool { return syntax.WritesAnswer(p.info, c) })) > 0 {
			continue
		}
		for _, cond := range p.deciding(ls[0]) {
			for _, s := range find(cond, p.isLast) {
				w := p.writtenBy(p.object(s))
				if w == nil {
					continue
				}
				what, by := p.object(s).Name(), p.declared(w).Name.Name
				at, written := p.ref(n.Pos()), p.ref(w.Pos())
				return becomes(p.confirms(fmt.Sprintf("the loop at %s pauses at %s and looks again at %s (%s), which %s writes "+
					"at %s", p.ref(ls[0].stmt.Pos()), at, what, p.ref(s.Pos()), by, written), n.Pos(), w.Pos()), change{
					name: "be-told", at: ls[0].stmt, title: fmt.Sprintf("Wait to be told by %s in place of pauses: a channel "+
						"that is closed at %s", by, written), text: fmt.Sprintf("A select on that channel and "+
						"ctx.Done() at %s goes on as soon as it is so (or a sync.Cond with Broadcast there); a pause goes on for up "+
						"to all of its length behind it. A shorter one only looks more often.", at), price: "none"})
			}
		}
	}
	return nil
}

// isLast reports whether an expression is a field that is looked at, and not one on the way to another field.
func (p *place) isLast(s *ast.SelectorExpr) bool {
	v, ok := p.object(s).(*types.Var)
	if !ok || !v.IsField() {
		return false
	}
	for _, up := range p.outward(s)[1:] {
		switch up := up.(type) {
		case *ast.IndexExpr, *ast.ParenExpr, *ast.StarExpr:
			continue
		case *ast.SelectorExpr:
			v, field := p.object(up).(*types.Var)
			return !field || !v.IsField()
		}
		break
	}
	return true
}

// writtenBy is where a function writes a field, or an element of it, other than the one that makes what has it; nil
// without one, or if the place's own leads there.
func (p *place) writtenBy(field types.Object) (by ast.Node) {
	is := func(e ast.Expr) bool {
		if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			e = x.X
		}
		return p.object(e) == field && !slices.ContainsFunc(p.valuesOf(syntax.Root(p.info, e)), func(v ast.Expr) bool {
			if at, ok := v.(*ast.UnaryExpr); ok {
				v = at.X
			}
			_, made := v.(*ast.CompositeLit)
			return made
		})
	}
	writes := everywhere(p.unit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			return is(n.X)
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			return ok && p.callee(n).path == "sync/atomic" && is(sel.X) && slices.Contains([]string{"Store", "Add", "Swap",
				"CompareAndSwap"}, sel.Sel.Name)
		}
		return false
	})
	if fns, _ := p.leadTo(writes); slices.Contains(fns, p.fn) {
		return nil
	}
	i := slices.IndexFunc(writes, func(w ast.Node) bool { return p.declared(w) != nil })
	if i < 0 {
		return nil
	}
	return writes[i]
}

// deciding are the conditions of a loop, and what the functions of this package do that these call.
func (p *place) deciding(l loop) (out []ast.Node) {
	for _, n := range within[ast.Node](l.stmt, nil) {
		switch n := n.(type) {
		case *ast.IfStmt:
			out = append(out, n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				out = append(out, n.Cond)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				out = append(out, e)
			}
		}
	}
	for _, cond := range out {
		for _, call := range find[*ast.CallExpr](cond, nil) {
			for _, d := range p.bodies(call) {
				out = append(out, d.Body)
			}
		}
	}
	return out
}

// triesOfOne answers where many round trips are not many questions, but tries of one: the loop around them is left as soon
// as one went well.
func triesOfOne(q *inquiry) []answer {
	for _, p := range q.own() {
		for _, call := range append(onLine[*ast.CallExpr](p), p.callsOf(p.decl)...) {
			for _, l := range p.loopsAround(call) {
				if p.builtin(call) != "" || !p.untilWell(l, call) {
					continue
				}
				at := p.ref(l.stmt.Pos())
				return becomes(p.adds(fmt.Sprintf("the loop at %s does the same again until it went well: its turns are tries "+
					"of one", at), l.stmt.Pos(), call.Pos()), change{name: "fewer-tries", title: fmt.Sprintf("Need fewer tries "+
					"at %s: one step at the other side that cannot be disturbed", at), text: fmt.Sprintf("%s is begun again when "+
					"something came between. One command that reads and changes (an atomic one, a script, UPDATE … WHERE … "+
					"RETURNING) needs no second try. Where it must: one at a time for what all want (a lock for its key), and a "+
					"random pause before the next.", text(call.Fun))})
			}
		}
	}
	return nil
}

// untilWell reports whether a loop makes a call again that is the same each time, until it went well.
func (p *place) untilWell(l loop, call *ast.CallExpr) bool {
	of := p.derived(l)
	if s, ok := l.stmt.(*ast.ForStmt); ok && s.Post != nil {
		if i, ok := s.Post.(*ast.IncDecStmt); ok && p.object(i.X) != nil {
			of[p.object(i.X)] = true
		}
	}
	failed := p.errorOf(call)
	if l.over != nil || failed == nil || p.carried(l, call) || p.mentionsAny(call, of) {
		return false
	}
	for i, s := range l.body.List {
		f, ok := s.(*ast.IfStmt)
		if ok && syntax.EndsLeaving(f.Body.List) && syntax.SaysWell(p.info, f.Cond, failed) || // or the last is reached where nothing says: again
			i == len(l.body.List)-1 && syntax.EndsLeaving(l.body.List) && p.againAfter(l, failed) {
			return true
		}
	}
	return false
}

// againAfter reports whether a branch that is taken by how a call has failed begins the next turn.
func (p *place) againAfter(l loop, failed types.Object) bool {
	return len(within(l.body, func(f *ast.IfStmt) bool {
		return p.mentions(f.Cond, failed) && len(within(f.Body, func(b *ast.BranchStmt) bool { return b.Tok == token.CONTINUE })) > 0
	})) > 0
}

// errorOf is the variable that gets the error of a call; nil without one.
func (p *place) errorOf(call *ast.CallExpr) types.Object {
	a, ok := p.outward(call)[1].(*ast.AssignStmt)
	if !ok {
		return nil
	}
	if o := p.object(a.Lhs[len(a.Lhs)-1]); o != nil && syntax.IsError(o.Type()) {
		return o
	}
	return nil
}

// waitsOnPurpose contradicts that a request waits for want of something: it lets time pass, with a timer of its own and
// no call between; or it passes on to its client what comes, until that leaves.
func waitsOnPurpose(q *inquiry) []answer {
	p := q.first()
	for _, n := range p.waitsHere() {
		s, ok := n.(*ast.SelectStmt)
		if !ok || len(p.loopsAround(s)) == 0 {
			continue
		}
		l, what := p.loopsAround(s)[0], ""
		switch a := syntax.AwaitedIn(p.info, s); {
		case a.Ends > 0 && a.Others == 0 && a.Timers > 0 && len(within(l.body, p.mayCallOut)) == 0:
			what = "lets time pass, by a timer of its own"
		case a.Ends > 0 && a.Others > 0 && len(within(l.body, func(c *ast.CallExpr) bool { return syntax.WritesAnswer(p.info, c) })) > 0:
			what = "passes on to its client what comes"
		default:
			continue
		}
		return p.contradicts(fmt.Sprintf("the loop at %s %s, until that leaves or its context ends", p.ref(l.stmt.Pos()), what),
			l.stmt.Pos(), s.Pos())
	}
	return nil
}

// mayCallOut reports whether a call is of another service, or of something that is not known and may be: it can fail, or
// takes a context.
func (p *place) mayCallOut(c *ast.CallExpr) bool {
	t := p.typeOf(c.Fun)
	if t == nil {
		return true
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || len(p.bodies(c)) > 0 || slices.Contains([]string{"context", "errors", "fmt", "time"}, p.callee(c).path) {
		return p.waitsOutside(c)
	}
	given, gives := sig.Params(), sig.Results()
	return given.Len() > 0 && isContext(given.At(0).Type()) || gives.Len() > 0 && syntax.IsError(gives.At(gives.Len()-1).Type())
}
