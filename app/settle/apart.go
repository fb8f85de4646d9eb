package settle

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// sideBySide answers for a place that waits, and another call of the same function that waits, too, before it or
// behind it: the wait is the longer one if they are made at the same time.
func sideBySide(q *inquiry) []answer {
	for _, p := range q.places {
		list, i := p.statementAt(p.frame.Line)
		if i < 0 || !p.waitsAt(q, list[i]) {
			continue
		}
		for k := range list {
			a, b := min(i, k), max(i, k)
			if k == i || !p.waitsAt(q, list[k]) || !p.apart(list, a, b) {
				continue
			}
			first, then := p.waitingCall(list[a]), p.waitingCall(list[b])
			if first == nil || then == nil {
				continue
			}
			both := fmt.Sprintf("%s at %s and %s at %s", text(first.Fun), p.ref(first.Pos()), text(then.Fun),
				p.ref(then.Pos()))
			return becomes(p.confirms(both+" wait one after another, and neither needs what the other brings",
				first.Pos(), then.Pos()), change{name: "side-by-side", at: list[a], title: "Call " + both +
				" at the same time", text: "Begin both in an errgroup.Group (or the first in a goroutine whose answer " +
				"comes over a channel with room for one), and wait for both before what uses them.",
				price: "both are asked though one has failed; two at a time for the other side"})
		}
	}
	return nil
}

// statementAt is the statement of the innermost list that has a line, with that list; -1 without one.
func (p *place) statementAt(line int) (list []ast.Stmt, at int) {
	at = -1
	for _, n := range within[ast.Node](p.body, nil) {
		stmts := syntax.List(n)
		if i := slices.IndexFunc(stmts, func(s ast.Stmt) bool { return p.spans(s, line) }); i >= 0 {
			list, at = stmts, i
		}
	}
	return list, at
}

// waitsAt reports whether a statement waits for an answer from outside: evidence has seen requests do so, or it is
// known of what it calls.
func (p *place) waitsAt(q *inquiry, s ast.Stmt) bool {
	if p.waitingCall(s) == nil {
		return false
	}
	for _, w := range q.waits {
		if p.spans(s, w.Line) && filepath.Base(p.fset.Position(s.Pos()).Filename) == path.Base(w.File) {
			return true
		}
	}
	return len(within(s, p.waitsOutside)) > 0
}

// waitsOutside reports whether it is known of what a call runs that it waits for another service.
func (p *place) waitsOutside(c *ast.CallExpr) bool {
	w, ok := p.waitsIn(c, false)
	return ok && strings.HasPrefix(w.does, "waits for") && !slices.Contains(inside2, w.does)
}

// inside2 are waits that no other side answers.
var inside2 = []string{"waits for goroutines", "waits for the disk", "waits for a signal"}

// waitingCall is the call that a plain statement makes, the outermost; nil for a loop, a branch, a goroutine.
func (p *place) waitingCall(s ast.Stmt) *ast.CallExpr {
	var in ast.Node
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt:
		in = s
	case *ast.IfStmt:
		if s.Init == nil {
			return nil
		}
		in = s.Init
	default:
		return nil
	}
	for _, c := range within[*ast.CallExpr](in, nil) {
		if p.builtin(c) == "" && !p.info.Types[c.Fun].IsType() {
			return p.asking(c)
		}
	}
	return nil
}

// apart reports whether the later of two statements of a list needs nothing of the earlier: no value that it brings,
// no decision that is made by such a value, and no thing that takes one question at a time, such as a transaction.
func (p *place) apart(list []ast.Stmt, a, b int) bool {
	brought := p.brings(list[a])
	if len(brought) == 0 || len(p.brings(list[b])) == 0 && !isReturn(list[b]) || p.serial(list[a], list[b]) {
		return false
	}
	for _, s := range list[a+1 : b] {
		if !p.mentionsAny(s, brought) {
			continue
		}
		assign, ok := s.(*ast.AssignStmt)
		if _, deferred := s.(*ast.DeferStmt); !ok && !deferred {
			return false
		}
		for _, lhs := range lhsOf(assign) {
			if o := p.object(lhs); o != nil {
				brought[o] = true
			}
		}
	}
	return !p.mentionsAny(list[b], brought)
}

func isReturn(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok }

func lhsOf(a *ast.AssignStmt) []ast.Expr {
	if a == nil {
		return nil
	}
	return a.Lhs
}

// brings are the variables that a statement gives a value, errors left out.
func (p *place) brings(s ast.Stmt) map[types.Object]bool {
	out := make(map[types.Object]bool)
	if i, ok := s.(*ast.IfStmt); ok {
		s = i.Init
	}
	a, _ := s.(*ast.AssignStmt)
	for _, lhs := range lhsOf(a) {
		if o := p.object(lhs); o != nil && o.Name() != "_" && o.Type().String() != "error" {
			out[o] = true
		}
	}
	return out
}

// serial reports whether two statements use the same thing that answers one at a time: what was made in this function,
// or has a method that commits.
func (p *place) serial(a, b ast.Stmt) bool {
	return len(find(a, func(id *ast.Ident) bool {
		v, ok := p.info.Uses[id].(*types.Var)
		if !ok || !p.mentions(b, v) || isContext(v.Type()) {
			return false
		}
		_, basic := v.Type().Underlying().(*types.Basic)
		own := p.local(v) && inside(p.body, p.defined(v)) && !basic
		commit, _, _ := types.LookupFieldOrMethod(v.Type(), true, p.pkg, "Commit")
		return commit != nil || own && v.Type().String() != "error"
	})) > 0
}
