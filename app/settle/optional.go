package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/diagnose/known"
)

// optionalPart answers where the answer goes on without what a call brings: its error is written to a log and to
// nothing else. Who can do without it need not wait for it for as long as for the rest.
func optionalPart(q *inquiry) []answer {
	for _, p := range q.own() {
		for _, call := range onLine[*ast.CallExpr](p) {
			at, fails := p.optional(call, depth)
			if at == nil || slices.ContainsFunc(at.Args, func(e ast.Expr) bool {
				t := p.typeOf(e)
				return t != nil && isContext(t) && p.in(p.declared(at)).deadlineOf(e, depth) != nil
			}) {
				continue
			}
			what := text(at.Fun)
			return becomes(p.confirms(fmt.Sprintf("where %s at %s fails, %s goes on without what it brings (%s)", what,
				p.ref(at.Pos()), p.declared(at).Name.Name, p.ref(fails.Pos())), at.Pos(), fails.Pos()), change{
				name: "own-deadline", at: at, not: []string{doItLess}, title: fmt.Sprintf("Give %s at %s a short deadline of "+
					"its own, and go on without it", what, p.ref(at.Pos())), text: "When it fails, the rest is given without it: " +
					"context.WithTimeout around it, of a few times what it takes on a good day, in place of a wait that is as " +
					"long as for what must be there. Or keep the last one, and renew it in the background.",
				price: "some answers lack that part"})
		}
	}
	return nil
}

// optional is the call whose error is only logged, on the one way from a call to who asks: itself, or the only caller
// of a function that returns its error.
func (p *place) optional(call *ast.CallExpr, left int) (at *ast.CallExpr, fails ast.Node) {
	d := p.declared(call)
	if d == nil || left == 0 || len(p.loopsAround(call)) > 0 {
		return nil, nil
	}
	p = p.in(d)
	if fails := p.onlyLogged(call); fails != nil {
		return call, fails
	}
	err, calls := p.errorOf(call), p.callsOf(d)
	if len(calls) != 1 || len(within(d.Body, func(r *ast.ReturnStmt) bool {
		return inside(r, call) || err != nil && p.mentions(r, err)
	})) == 0 {
		return nil, nil
	}
	return p.optional(calls[0], left-1)
}

// onlyLogged is the branch in which a call's error is logged: nothing else is done with it, and what comes behind it
// goes on; that of a goroutine's function, or a group's, may return, since others wait for it to end.
func (p *place) onlyLogged(call *ast.CallExpr) (branch *ast.IfStmt) {
	err := p.errorOf(call)
	for _, id := range find(p.decl.Body, func(id *ast.Ident) bool { return err != nil && p.info.Uses[id] == err }) {
		up := p.outward(id)
		i := slices.IndexFunc(up, func(n ast.Node) bool { _, ok := n.(*ast.IfStmt); return ok })
		if i < 0 {
			return nil
		}
		s := up[i].(*ast.IfStmt)
		if branch != nil && branch != s || s.Else != nil || !syntax.OfError(p.info, s.Cond, token.NEQ) {
			return nil
		}
		branch = s
	}
	if branch == nil {
		return nil
	}
	logs := false
	for _, s := range branch.Body.List {
		switch s := s.(type) {
		case *ast.ExprStmt:
			c, ok := s.X.(*ast.CallExpr)
			if !ok || !known.Of(p.callee(c).full()).Is(known.Logs) {
				return nil
			}
			logs = true
		case *ast.ReturnStmt:
			up := p.outward(branch)
			lit := slices.IndexFunc(up, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok })
			if lit < 0 || len(s.Results) > 0 {
				return nil
			}
			if _, handed := up[lit+1].(*ast.CallExpr); !handed {
				return nil
			}
		default:
			return nil
		}
	}
	if !logs {
		return nil
	}
	return branch
}
