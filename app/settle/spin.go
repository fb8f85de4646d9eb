package settle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"time"

	"github.com/gocasebook/casebook/app/syntax"
)

// short is how long a sleep may be that leaves a loop a spin: a process of one core wakes a thousand times a second.
const short = time.Millisecond

// spins looks for the loop that asks again and again without waiting.
func spins(q *inquiry) []answer {
	for _, p := range q.places {
		loops := p.loops()
		if len(loops) == 0 {
			continue
		}
		inner := loops[0]
		pause, at, waits := p.pause(inner)
		switch {
		case !waits:
			text := fmt.Sprintf("the loop at %s asks again and again, and nothing in it waits", p.ref(inner.stmt.Pos()))
			for _, l := range loops[1:] {
				if pause, at, ok := p.pause(l); ok && pause > 0 && pause <= short {
					text += fmt.Sprintf("; around it, %s at %s is all the rest", pause, p.ref(at.Pos()))
					break
				}
			}
			return p.confirms(text, inner.stmt.Pos())
		case pause > 0 && pause <= short:
			return p.confirms(fmt.Sprintf("the loop at %s sleeps for %s only (%s)", p.ref(inner.stmt.Pos()), pause,
				p.ref(at.Pos())), inner.stmt.Pos(), at.Pos())
		case at != nil:
			return p.contradicts(fmt.Sprintf("the loop at %s waits at %s in each turn", p.ref(inner.stmt.Pos()),
				p.ref(at.Pos())), inner.stmt.Pos(), at.Pos())
		}
	}
	return nil
}

// pause is what a loop waits for in each turn: for how long, 0 if that is not known. A wait in a branch, or in a loop
// within, may not come; then at is nil.
func (p *place) pause(l loop) (d time.Duration, at ast.Node, waits bool) {
	for _, n := range within[ast.Node](l.body, nil) {
		if _, inner := p.asLoop(n); inner && n != ast.Node(l.stmt) {
			if t, ok := n.(*ast.RangeStmt); !ok || p.typeOf(t.X) == nil {
				continue
			}
		}
		w, ok := p.waitsIn(n, true)
		if !ok || !w.at.IsValid() || p.inDefaultSelect(n) {
			continue
		}
		waits = true
		if !p.always(l, n) {
			continue
		}
		at = n
		if call, ok := n.(*ast.CallExpr); ok && p.callee(call).is("time", "Sleep") && len(call.Args) == 1 {
			if v := p.info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.Int {
				ns, _ := constant.Int64Val(v)
				return time.Duration(ns), at, true
			}
			return 0, nil, true // as long as a variable says
		}
		return 0, at, true
	}
	return 0, nil, waits
}

// always reports whether a node is in a statement that each turn of a loop comes to: of its body, in no block below.
func (p *place) always(l loop, n ast.Node) bool {
	for _, up := range p.outward(n)[1:] {
		switch up := up.(type) {
		case *ast.BlockStmt:
			return up == l.body
		case *ast.CommClause, *ast.CaseClause:
			return false
		}
	}
	return false
}

// inDefaultSelect reports whether a channel operation is a case of a select that does not wait.
func (u *unit) inDefaultSelect(n ast.Node) bool {
	for _, up := range u.outward(n) {
		switch up := up.(type) {
		case *ast.SelectStmt:
			return syntax.HasDefault(up)
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
	}
	return false
}

// assignedTo is the variable or field that a call's first value goes to; nil if it goes nowhere or elsewhere.
func (u *unit) assignedTo(call *ast.CallExpr) types.Object {
	for _, up := range u.outward(call)[1:] {
		switch up := up.(type) {
		case *ast.AssignStmt:
			for i, r := range up.Rhs {
				if ast.Unparen(r) == call && (i == 0 || len(up.Lhs) == len(up.Rhs)) {
					return u.object(up.Lhs[i])
				}
			}
			return nil
		case *ast.ValueSpec:
			if len(up.Names) > 0 && len(up.Values) == 1 && ast.Unparen(up.Values[0]) == call {
				return u.info.Defs[up.Names[0]]
			}
			return nil
		case *ast.ParenExpr:
		default:
			return nil
		}
	}
	return nil
}
