package settle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Questions that confirm what a finding says by its shape in the code, and change nothing of its remedy: somebody who
// reads the finding knows then that it is no mistake of the profile's.

// clockInLoop answers if the clock is read in each turn of a loop over a collection.
func clockInLoop(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			if c := p.callee(call); !c.is("time", "Now", "Since", "Until") {
				continue
			}
			for _, l := range p.loopsAround(call) {
				if l.over != nil {
					return p.confirms(fmt.Sprintf("the loop at %s reads the clock for each of %s: once before it "+
						"would do", p.ref(l.stmt.Pos()), text(l.over)), l.stmt.Pos(), call.Pos())
				}
			}
		}
	}
	return nil
}

// joined looks at strings that grow by +.
func joined(q *inquiry) []answer {
	for _, p := range q.places {
		for _, s := range onLine[*ast.AssignStmt](p) {
			if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !p.growsItself(s) {
				continue
			}
			if ls := p.loopsAround(s); len(ls) > 0 {
				return p.confirms(fmt.Sprintf("%s grows in each turn of the loop at %s, and is copied as a whole "+
					"each time", text(s.Lhs[0]), p.ref(ls[0].stmt.Pos())), ls[0].stmt.Pos(), s.Pos())
			}
			if o := p.object(s.Lhs[0]); o != nil && (!p.local(o) || isStar(s.Lhs[0])) {
				return p.confirms(fmt.Sprintf("%s, which outlives the call, grows at %s and is copied as a whole "+
					"each time", text(s.Lhs[0]), p.ref(s.Pos())), s.Pos())
			}
		}
	}
	return nil
}

func isStar(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok
}

// growsItself reports whether an assignment is s += t or s = s + t.
func (p *place) growsItself(s *ast.AssignStmt) bool {
	if s.Tok == token.ADD_ASSIGN {
		return true
	}
	b, ok := ast.Unparen(s.Rhs[0]).(*ast.BinaryExpr)
	if !ok || s.Tok != token.ASSIGN || b.Op != token.ADD {
		return false
	}
	for {
		left, ok := ast.Unparen(b.X).(*ast.BinaryExpr)
		if !ok || left.Op != token.ADD {
			return text(b.X) == text(s.Lhs[0])
		}
		b = left
	}
}

// grows looks at append in loops of which the number of turns is known before.
func grows(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			if p.builtin(call) != "append" || len(call.Args) < 2 || call.Ellipsis.IsValid() {
				continue
			}
			for _, l := range p.loopsAround(call) {
				if l.over != nil && p.withoutRoom(call.Args[0]) {
					return p.confirms(fmt.Sprintf("the loop at %s appends to %s, which has no room for the %s that "+
						"it goes through", p.ref(l.stmt.Pos()), text(call.Args[0]), "len("+text(l.over)+")"),
						l.stmt.Pos(), call.Pos())
				}
			}
		}
	}
	return nil
}

// withoutRoom reports whether a slice begins empty in this function: var s []T, s := []T{}, or a field of a literal
// that does not set it.
func (p *place) withoutRoom(e ast.Expr) bool {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		for _, init := range p.valuesOf(p.object(sel.X)) {
			if lit := literal(init); lit != nil && !setsField(lit, sel.Sel.Name) {
				return true
			}
		}
		return false
	}
	obj := p.object(e)
	if obj == nil || !p.local(obj) {
		return false
	}
	values := slices.DeleteFunc(p.valuesOf(obj), func(v ast.Expr) bool { // what it grows by
		call, ok := ast.Unparen(v).(*ast.CallExpr)
		return ok && p.builtin(call) == "append" && p.object(call.Args[0]) == obj
	})
	for _, v := range values {
		switch v := ast.Unparen(v).(type) {
		case *ast.CompositeLit:
			return len(v.Elts) == 0
		case *ast.CallExpr:
			return p.builtin(v) == "make" && len(v.Args) == 2 && text(v.Args[1]) == "0"
		}
		return false
	}
	return len(values) == 0 // var s []T, or a result
}

func setsField(lit *ast.CompositeLit, name string) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true // by position: all fields
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
			return true
		}
	}
	return false
}

// sized looks for make of a constant size, which is often far above what is used.
func sized(q *inquiry) []answer {
	const elements, bytes = 1024, 64 << 10
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			if p.builtin(call) != "make" || len(call.Args) < 2 {
				continue
			}
			v := p.info.Types[call.Args[len(call.Args)-1]].Value
			if v == nil || v.Kind() != constant.Int {
				continue
			}
			n, _ := constant.Int64Val(v)
			size := int64(1)
			if t := p.typeOf(call.Args[0]); t != nil {
				if s, ok := t.Underlying().(*types.Slice); ok && p.partial == "" {
					size = p.sizes.Sizeof(s.Elem())
				}
			}
			if p.runsOnce(call) == "" && (n >= elements || n*size >= bytes) {
				return p.confirms(fmt.Sprintf("make at %s asks for room for %d in each call of %s, whatever is needed",
					p.ref(call.Pos()), n, p.decl.Name.Name), call.Pos())
			}
		}
	}
	return nil
}

// timers looks for timers that are made in a loop, or never stopped.
func timers(q *inquiry) []answer {
	for _, p := range q.places {
		for _, call := range onLine[*ast.CallExpr](p) {
			c := p.callee(call)
			if !c.is("time", "After", "NewTimer", "NewTicker", "Tick") {
				continue
			}
			if ls := p.loopsAround(call); len(ls) > 0 {
				return p.confirms(fmt.Sprintf("time.%s at %s makes a timer in each turn of the loop at %s", c.name,
					p.ref(call.Pos()), p.ref(ls[0].stmt.Pos())), ls[0].stmt.Pos(), call.Pos())
			}
			if c.name == "NewTicker" && !p.stopped(call) {
				return p.confirms(fmt.Sprintf("nothing stops the ticker that %s makes at %s", p.decl.Name.Name,
					p.ref(call.Pos())), call.Pos())
			}
		}
	}
	return nil
}

// stopped reports whether the package calls Stop of the variable that a call's value goes to, or it is not known where
// the value goes.
func (p *place) stopped(call *ast.CallExpr) bool {
	obj := p.assignedTo(call)
	if obj == nil {
		return true
	}
	return len(everywhere(p.unit, func(c *ast.CallExpr) bool {
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Stop" && p.object(sel.X) == obj
	})) > 0
}

// labelled answers for metrics with a label for each of something: nothing ends a series but its deletion.
func (p *place) labelled() []answer {
	for _, call := range onLine[*ast.CallExpr](p) {
		c := p.callee(call)
		if c.path != "github.com/prometheus/client_golang/prometheus" || c.name != "WithLabelValues" &&
			c.name != "With" {
			continue
		}
		on := p.dependsOn(call)
		deletes := everywhere(p.unit, func(d *ast.CallExpr) bool {
			got := p.callee(d)
			return got.path == c.path && (got.name == "Reset" || got.name == "Delete" ||
				got.name == "DeleteLabelValues" || got.name == "DeletePartialMatch")
		})
		if on != "" && len(deletes) == 0 {
			return p.confirms(fmt.Sprintf("%s at %s makes a series for each value of %s, and nothing in the package "+
				"deletes one", text(call.Fun), p.ref(call.Pos()), on), call.Pos())
		}
	}
	return nil
}
