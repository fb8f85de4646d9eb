package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Function is the innermost function that a node is in, and whether there is one.
func Function(cur inspector.Cursor) (inspector.Cursor, bool) {
	for f := range cur.Parent().Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f, true
	}
	return inspector.Cursor{}, false
}

// Declaration is the function declaration that a node is in, or nil.
func Declaration(cur inspector.Cursor) *ast.FuncDecl {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		return f.Node().(*ast.FuncDecl)
	}
	return nil
}

// Body is the block of a function.
func Body(f inspector.Cursor) *ast.BlockStmt { return BodyOf(f.Node()) }

// Signature is the type of a function.
func Signature(info *types.Info, f inspector.Cursor) *types.Signature {
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		if fn, ok := info.Defs[f.Name].(*types.Func); ok {
			return fn.Signature()
		}
	case *ast.FuncLit:
		if s, ok := info.TypeOf(f).(*types.Signature); ok {
			return s
		}
	}
	return nil
}

// Loop is the innermost loop of the same function that runs a node again and again.
func Loop(cur inspector.Cursor) (inspector.Cursor, bool) {
	for child, up := cur, cur.Parent(); up.Node() != nil; child, up = up, up.Parent() {
		switch up.Node().(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return inspector.Cursor{}, false
		case *ast.RangeStmt:
			if child.ParentEdgeKind() == edge.RangeStmt_Body {
				return up, true
			}
		case *ast.ForStmt:
			if child.ParentEdgeKind() != edge.ForStmt_Init {
				return up, true
			}
		}
	}
	return inspector.Cursor{}, false
}

// Changes reports whether a variable may get another value within a node: it is assigned, counted, or its address is
// taken.
func Changes(info *types.Info, in inspector.Cursor, obj types.Object) bool {
	return slices.ContainsFunc(Uses(info, in, obj), IsChanged)
}

// IsChanged reports whether an expression is assigned or counted, or its address is taken.
func IsChanged(cur inspector.Cursor) bool {
	switch cur.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return true
	case edge.UnaryExpr_X:
		return cur.Parent().Node().(*ast.UnaryExpr).Op == token.AND
	}
	return false
}

// MentionsHead reports whether a function mentions HEAD: the answer to such a request has no body.
func MentionsHead(f inspector.Cursor) bool {
	return Some(f.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			return n.Value == `"HEAD"`
		case *ast.SelectorExpr:
			return n.Sel.Name == "MethodHead" || n.Sel.Name == "Head"
		}
		return false
	})
}
