package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// timer makes time.After in a select of a loop one timer that each turn resets.
func timer(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.Callee(call), "time", "After") {
			continue
		}
		sel, ok := selectOf(cur)
		if !ok {
			continue
		}
		l, again := loop(sel)
		if !again {
			continue
		}
		if why := u.noTimer(sel, l, call); why != "" {
			out.add(u.refuse(call, why))
			continue
		}
		out = append(out, u.oneTimer(sel, l, call))
	}
	return out
}

// selectOf is the select statement that waits for an expression in a case.
func selectOf(cur inspector.Cursor) (inspector.Cursor, bool) {
	for up := cur; ; up = up.Parent() {
		switch up.Parent().Node().(type) {
		case *ast.UnaryExpr, *ast.ExprStmt, *ast.AssignStmt:
			continue
		case *ast.CommClause:
			return up.Parent().Parent().Parent(), up.ParentEdgeKind() == edge.CommClause_Comm
		}
		return inspector.Cursor{}, false
	}
}

// noTimer says why a timer cannot take the place.
func (u *Unit) noTimer(sel, l inspector.Cursor, call *ast.CallExpr) string {
	if sel.Parent().Parent() != l {
		return "the select is in a branch of the loop, so that not each turn waits"
	}
	if _, twice := loop(l); twice {
		return "the loop is in another one, and a defer would wait for the end of the function"
	}
	if !u.settled(l, call.Args[0]) {
		return "its duration is worked out in the loop"
	}
	n := 0
	for _, c := range below[*ast.CallExpr](sel) {
		if isFunc(u.Callee(c), "time", "After") {
			n++
		}
	}
	if n > 1 {
		return "the select waits for several times"
	}
	return ""
}

// settled reports whether an expression is a constant, or made of names that the loop neither declares nor changes.
func (u *Unit) settled(l inspector.Cursor, e ast.Expr) bool {
	if u.IsConstant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return u.settled(l, e.X) && u.settled(l, e.Y)
	case *ast.CallExpr:
		return u.isConversion(e) && len(e.Args) == 1 && u.settled(l, e.Args[0])
	}
	obj, isVar := u.Root(e).(*types.Var)
	if !isPath(e) || !isVar {
		return false
	}
	return !syntax.Within(l.Node(), obj.Pos())
}

func (u *Unit) oneTimer(sel, l inspector.Cursor, call *ast.CallExpr) Change {
	f, _ := function(l)
	name, pkg, d := u.freshIn(f, "timer"), u.text(call.Fun.(*ast.SelectorExpr).X), u.text(call.Args[0])
	c := u.change(call, "reset one timer in each turn")
	c.cures(sel.Node())
	at := l
	if _, labelled := l.Parent().Node().(*ast.LabeledStmt); labelled {
		at = l.Parent()
	}
	in := u.indent(at.Node())
	c.before(at.Node(), name+" := "+pkg+".NewTimer("+d+")\n"+in+"defer "+name+".Stop()")
	reset := name + ".Reset(" + d + ")"
	if u.before(call, "go1.23") { // a timer that has fired keeps its value then
		in := u.indent(sel.Node())
		reset = "if !" + name + ".Stop() {\n" + in + "\tselect {\n" + in + "\tcase <-" + name + ".C:\n" + in +
			"\tdefault:\n" + in + "\t}\n" + in + "}\n" + in + reset
	}
	c.before(sel.Node(), reset)
	c.replace(call.Pos(), call.End(), name+".C")
	return *c
}
