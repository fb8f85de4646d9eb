package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var queryAgain = check("queryagain", findQueryAgain, `report a URL whose query a function parses more than once

URL.Query makes a map of all parameters at each call: 448 bytes and 0.32 µs for three of them; to look one up in the map
that is there takes 9 ns (BenchmarkCost/query). Keep its result in a variable.

Reported is each Query after the first of the same URL in a function, and one in a loop that does not change the URL. Not
reported: what runs once; calls of which one way through the function makes only one.`)

func findQueryAgain(u *unit) {
	first := make(map[ast.Node][]inspector.Cursor) // by function
	for cur, call := range u.calls(callee{"net/url", "URL", "Query", ""}) {
		f, ok := function(cur)
		of := receiver(call.CallExpr)
		url, isVar := u.Root(of).(*types.Var)
		if !ok || !isVar || u.Changes(f, url) || u.setsURL(f) {
			continue
		}
		l, again := loop(cur)
		switch {
		case again && !within(l.Node(), url.Pos()) && !u.leavesAfter(cur, l):
			u.report(call, "this parses the query at each turn: call Query before the loop")
		case slices.ContainsFunc(first[f.Node()], func(e inspector.Cursor) bool { // surely made when this one is
			return u.Same(receiver(e.Node().(*ast.CallExpr)), of) && precedes(e, cur)
		}):
			u.report(call, "this parses the query again: keep what the function's first Query returned")
		default:
			first[f.Node()] = append(first[f.Node()], cur)
		}
	}
}

// setsURL reports whether a function gives a request another URL, or a URL another query.
func (u *unit) setsURL(f inspector.Cursor) bool {
	for cur, sel := range below[*ast.SelectorExpr](f) {
		if (sel.Sel.Name == "RawQuery" || sel.Sel.Name == "URL") && cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return true
		}
	}
	return false
}

// precedes reports whether what is evaluated at a node has been evaluated when another, later one of the same function
// is: the branch that the earlier one is in is around the later one, too.
func precedes(earlier, later inspector.Cursor) bool {
	n := later.Node()
	for child, up := earlier, earlier.Parent(); up.Node() != nil; child, up = up, up.Parent() {
		if within(up.Node(), n.Pos()) {
			return !branches(up.Node(), child.Node(), n)
		}
		switch x := up.Node().(type) {
		case *ast.CaseClause, *ast.CommClause, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.IfStmt:
			if child.Node() != x.Cond && child.Node() != x.Init {
				return false
			}
		case *ast.BinaryExpr:
			if child.Node() == x.Y {
				return false // perhaps not evaluated
			}
		}
	}
	return false
}

// branches reports whether two parts of a node are alternatives: the branches of an if, or the clauses of a switch.
func branches(up, earlier, later ast.Node) bool {
	switch x := up.(type) {
	case *ast.IfStmt:
		return earlier == x.Body && x.Else != nil && within(x.Else, later.Pos())
	case *ast.BlockStmt:
		switch earlier.(type) {
		case *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}
