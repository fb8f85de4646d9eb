package settle

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A growing is a map or slice that outlives the call, with what puts something in.
type growing struct {
	name string
	obj  types.Object
	at   ast.Node
	key  ast.Expr // of the entry; nil for a slice
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
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
