package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// deletedFrom looks for what takes out of a map or slice what the place puts in.
func deletedFrom(q *inquiry) []answer {
	for _, p := range q.places {
		for _, g := range p.growing(p.about) {
			if p.inInit(g.at) { // it is filled once
				continue
			}
			out := p.takenOut(g.obj)
			if len(out) == 0 {
				return becomes(p.confirms(fmt.Sprintf("%s grows at %s, and nothing in the package takes anything out "+
					"of it", g.name, p.ref(g.at.Pos())), g.at.Pos()), p.ending(g))
			}
			return becomes(p.adds(fmt.Sprintf(
				"%s grows at %s and loses at %s: the question is whether that is reached for these",
				g.name, p.ref(g.at.Pos()), p.ref(out[0].Pos())), g.at.Pos(), out[0].Pos()), p.callTheEnd(g, out))
		}
		if a := p.labelled(); a != nil {
			return a
		}
	}
	return q.keptElsewhere()
}

// keptElsewhere answers by the one map or slice of the program that what was made is put into, if nothing is ever taken
// out of it.
func (q *inquiry) keptElsewhere() []answer {
	if q.level {
		return nil
	}
	has := q.carriers()
	var in *place
	var found growing
	for _, u := range q.packages() {
		for d := range u.functions() {
			p := u.whole(d)
			for _, g := range p.growing(func(_ ast.Node, e ast.Expr) bool { return has.in(p, p.typeOf(e), depth) }) {
				switch {
				case p.inInit(g.at) || p.inConstructor(g.at) || g.obj == found.obj || g.obj.Exported() ||
					len(p.takenOut(g.obj)) > 0:
				case in != nil:
					return nil // several may keep it
				default:
					in, found = p, g
				}
			}
		}
	}
	if in == nil {
		return nil
	}
	c := in.ending(found)
	c.not = []string{boundIt, doItLess}
	if c.at == nil {
		c.at = found.at
	}
	return becomes(in.confirms(fmt.Sprintf("what %s makes goes into %s at %s, and nothing in the package takes "+
		"anything out of it", q.first().decl.Name.Name, found.name, in.ref(found.at.Pos())), found.at.Pos()), c)
}

// A growing is a map or slice that outlives the call, with what puts something in.
type growing struct {
	name string
	obj  types.Object
	at   ast.Node
	key  ast.Expr // of the entry; nil for a slice
}

// growing lists those that the place's function lets grow by a value, or a key, that is meant.
func (p *place) growing(meant func(ast.Node, ast.Expr) bool) (out []growing) {
	for _, a := range within[*ast.AssignStmt](p.body, nil) {
		for i, lhs := range a.Lhs {
			var rhs ast.Expr
			if len(a.Rhs) == len(a.Lhs) {
				rhs = a.Rhs[i]
			}
			switch x := ast.Unparen(lhs).(type) {
			case *ast.IndexExpr:
				if t := p.typeOf(x.X); t != nil && isMap(t) && (meant(a, rhs) || meant(a, x.Index)) {
					out = p.outliving(out, x.X, a, x.Index)
				}
			default:
				call, ok := rhs.(*ast.CallExpr)
				if ok && p.builtin(call) == "append" && len(call.Args) > 1 && text(call.Args[0]) == text(lhs) &&
					slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return meant(a, e) }) {
					out = p.outliving(out, lhs, a, nil)
				}
			}
		}
	}
	for _, call := range within[*ast.CallExpr](p.body, nil) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && p.callee(call).method("sync", "Map", "Store", "LoadOrStore", "Swap") && meant(call, call.Args[1]) {
			out = p.outliving(out, sel.X, call, call.Args[0])
		}
	}
	return out
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// about reports whether a statement is on the place's line, or of what a variable of that line has.
func (p *place) about(a ast.Node, rhs ast.Expr) bool {
	if p.spans(a, p.frame.Line) {
		return true
	}
	if rhs == nil || a.Pos() < p.body.Pos() || p.line(a.Pos()) < p.frame.Line {
		return false
	}
	for _, s := range onLine[*ast.AssignStmt](p) {
		for _, lhs := range s.Lhs {
			if o := p.object(lhs); o != nil && p.mentions(rhs, o) {
				return true
			}
		}
	}
	return false
}

func (p *place) outliving(out []growing, e ast.Expr, at ast.Node, key ast.Expr) []growing {
	obj := p.object(e)
	if obj == nil || p.local(obj) {
		return out
	}
	return append(out, growing{text(e), obj, at, key})
}

// takenOut lists what makes a map or slice smaller: delete, clear, a new value, a slice of it.
func (u *unit) takenOut(obj types.Object) (out []ast.Node) {
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if b := u.builtin(n); (b == "delete" || b == "clear") && u.object(n.Args[0]) == obj {
					out = append(out, n)
				}
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && u.object(sel.X) == obj &&
					u.callee(n).method("sync", "Map", "Delete", "LoadAndDelete", "CompareAndDelete", "Clear") {
					out = append(out, n)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && u.object(n.X) == obj { // whoever has its address may
					out = append(out, n)
				}
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if u.object(lhs) != obj || n.Tok == token.DEFINE {
						continue
					}
					if i < len(n.Rhs) {
						if call, ok := ast.Unparen(n.Rhs[i]).(*ast.CallExpr); ok && u.builtin(call) == "append" &&
							u.object(call.Args[0]) == obj {
							continue
						}
						if u.firstValue(n) {
							continue
						}
					}
					out = append(out, n)
				}
			}
			return true
		})
	}
	return out
}

// firstValue reports whether an assignment is a first value: under a condition that there is none yet.
func (u *unit) firstValue(a *ast.AssignStmt) bool {
	for _, up := range u.outward(a)[1:] {
		switch up := up.(type) {
		case *ast.IfStmt:
			b, ok := ast.Unparen(up.Cond).(*ast.BinaryExpr)
			return ok && b.Op == token.EQL && text(b.Y) == "nil"
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
	}
	return false
}
