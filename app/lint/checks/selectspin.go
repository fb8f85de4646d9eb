package checks

import (
	"go/ast"
	"go/token"
)

var selectSpin = check("selectspin", findSelectSpin, `report a loop over a select whose default does nothing that takes time

The loop asks its channels some ten million times a second and uses a core while nothing happens. Leave default out, and
select waits; or wait in it.

Reported is a default of nothing but continue, break of the select, counting, or runtime.Gosched. Not reported: an empty
one (staticcheck's SA5004), and one that calls anything else or leaves the loop.`)

func findSelectSpin(u *unit) {
	for _, l := range each[*ast.ForStmt](u) {
		if l.Cond != nil || len(l.Body.List) != 1 {
			continue
		}
		s, ok := l.Body.List[0].(*ast.SelectStmt)
		if !ok {
			continue
		}
		for _, c := range s.Body.List {
			if c := c.(*ast.CommClause); c.Comm == nil && len(c.Body) > 0 && u.idle(c.Body) {
				u.report(c, "this loop uses a whole core while nothing happens: leave default out, or wait in it")
			}
		}
	}
}

// idle reports whether statements take no time and stay in the loop.
func (u *unit) idle(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.BranchStmt:
			if s.Label != nil || s.Tok != token.CONTINUE && s.Tok != token.BREAK {
				return false
			}
		case *ast.IncDecStmt:
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok || !isFunc(u.callee(call), "runtime", "Gosched") {
				return false
			}
		default:
			return false
		}
	}
	return true
}
