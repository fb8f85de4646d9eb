package settle

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
)

// walkHeld walks a function, and tells see of each statement's nodes with what is held there.
func (u *unit) walkHeld(body *ast.BlockStmt, see func(n ast.Node, h syntax.Held)) {
	look := func(n ast.Node, h syntax.Held) {
		ast.Inspect(n, func(n ast.Node) bool {
			_, literal := n.(*ast.FuncLit)
			if n != nil && !literal {
				see(n, h)
			}
			return !literal
		})
	}
	w := syntax.LockWalk{Does: u.mutexCall, Ends: func(call *ast.CallExpr) bool { return u.builtin(call) == "panic" }}
	w.See = func(n ast.Node, h syntax.Held) {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			see(n, h)
		case *ast.SelectStmt:
			see(n, h)
			for _, c := range n.Body.List {
				if comm := c.(*ast.CommClause).Comm; comm != nil {
					look(comm, h)
				}
			}
		default:
			look(n, h)
		}
	}
	w.Walk(body)
}

// mutexCall reports what a call does with a mutex: the name of the mutex and the method, or "".
func (u *unit) mutexCall(call *ast.CallExpr) (name, does string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) > 0 {
		return "", ""
	}
	c := u.callee(call)
	is := c.method("sync", "Mutex", "Lock", "Unlock") || c.method("sync", "RWMutex", "Lock", "Unlock", "RLock",
		"RUnlock")
	if c.fn == nil { // by its name, where types do not say
		is = slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock"}, c.name) && c.path == ""
	}
	if !is {
		return "", ""
	}
	return types.ExprString(sel.X), c.name
}
