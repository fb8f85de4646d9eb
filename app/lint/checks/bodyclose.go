package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var bodyClose = check("bodyclose", findBodyClose, `report a response whose body nobody closes

The connection of such a response is never used again and never closed: the transport keeps it with two goroutines and
two buffers of 4 kB until the other side gives up (net/http, Client.Do). Close the body when err is nil.

Reported are responses of package net/http's clients that are dropped, and those of which a function only looks at the
fields or reads the body with functions that do not close it. Not reported: a response, or its body, that goes anywhere
else, because it may be closed there. The linter of the same name follows it through other functions, for an SSA form of
all dependencies.`)

func findBodyClose(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		f, ok := function(cur)
		if !ok || !sendsRequest(u.callee(call)) || !u.neverClosed(cur, f) {
			continue
		}
		u.report(call, "nobody closes the body of this response, so its connection and two goroutines stay: close it "+
			"when err is nil")
	}
}

// sendsRequest reports whether a function is one of net/http that answers with a response.
func sendsRequest(fn *types.Func) bool {
	return isMethod(fn, "net/http", "Client", "Do", "Get", "Head", "Post", "PostForm") ||
		isFunc(fn, "net/http", "Get", "Head", "Post", "PostForm")
}

// neverClosed reports whether a response is dropped, or only looked at.
func (u *unit) neverClosed(cur, f inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		if id, ok := p.Lhs[0].(*ast.Ident); ok && id.Name == "_" && len(p.Rhs) == 1 {
			return true
		}
	}
	v := u.assigned(cur)
	if n := f.Node(); v == nil || v.Pos() < n.Pos() || n.End() <= v.Pos() || v.Kind() != types.LocalVar {
		return false // of a function around this one, a parameter or a result
	}
	return u.onlyLooks(f, v, func(selected inspector.Cursor, sel *ast.SelectorExpr) bool {
		if sel.Sel.Name == "Body" && !u.onlyReads(selected) {
			return false
		}
		fn, method := u.TypesInfo.Uses[sel.Sel].(*types.Func)
		return !method || fn.Name() != "Write" // that writes it, and closes it
	})
}

// onlyReads reports whether a body is compared, or an argument of a function that is known to read and not to close.
func (u *unit) onlyReads(body inspector.Cursor) bool {
	switch p := body.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		fn := u.callee(p)
		return body.ParentEdgeKind() == edge.CallExpr_Args && (isFunc(fn, "io", "ReadAll", "Copy", "CopyN", "CopyBuffer") ||
			isFunc(fn, "io/ioutil", "ReadAll") || isFunc(fn, "encoding/json", "NewDecoder") ||
			isFunc(fn, "encoding/xml", "NewDecoder") || isFunc(fn, "bufio", "NewReader", "NewScanner"))
	}
	return false
}
