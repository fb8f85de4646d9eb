package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// transport makes an http.Transport that a function builds for a client of its own a package variable: connections
// belong to the transport, and so each call would open one.
func transport(u *Unit) (out changes) {
	for cur, lit := range each[*ast.CompositeLit](u) {
		d := declaration(cur)
		if d == nil || !isNamed(u.Info.TypeOf(lit), "net/http", "Transport") || d.Name.Name == "main" ||
			d.Name.Name == "init" {
			continue
		}
		address, ok := cur.Parent().Node().(*ast.UnaryExpr)
		if !ok {
			continue
		}
		refuse := func(why string) { out.add(u.refuse(lit, why)) }
		switch {
		case strings.HasPrefix(strings.ToLower(d.Name.Name), "new"):
			refuse("it is made by a constructor: who calls " + d.Name.Name + " again and again is the place to change")
		case !u.fixed(cur):
			refuse("its settings depend on the call, or on what may change or be read before")
		case !u.onlyForClient(cur.Parent()):
			refuse("it is used for more than a client, or changed later")
		default:
			name := u.fresh(lower(d.Name.Name) + "Transport")
			c := u.change(lit, "share one transport, and with it its connections")
			c.cures(d)
			if !u.keepIdle(c) {
				refuse("CloseIdleConnections is called where it cannot be taken out")
				continue
			}
			c.insert(above(d), "var "+name+" = "+u.text(address)+"\n\n")
			c.replace(address.Pos(), address.End(), name)
			out.add(c)
		}
	}
	return out
}

// onlyForClient reports whether a transport goes to the Transport of a client literal, directly or by a variable.
func (u *Unit) onlyForClient(cur inspector.Cursor) bool {
	if kv, ok := cur.Parent().Node().(*ast.KeyValueExpr); ok {
		lit, ok := cur.Parent().Parent().Node().(*ast.CompositeLit)
		key, isIdent := kv.Key.(*ast.Ident)
		return ok && isIdent && key.Name == "Transport" && isNamed(u.Info.TypeOf(lit), "net/http", "Client")
	}
	v := u.Assigned(cur)
	f, ok := function(cur)
	return ok && v != nil && len(u.Uses(f, v)) > 0 && u.All(f, v, func(use inspector.Cursor) bool {
		return use.ParentEdgeKind() != edge.AssignStmt_Lhs && u.onlyForClient(use)
	})
}

// keepIdle takes out the statements that close idle connections: they are what is shared.
func (u *Unit) keepIdle(c *Change) bool {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isMethod(u.Callee(call), "net/http", "Client", "CloseIdleConnections") {
			continue
		}
		switch cur.Parent().Node().(type) {
		case *ast.ExprStmt, *ast.DeferStmt:
		default:
			return false
		}
		s, ok := statement(cur)
		if !ok || s != cur.Parent() || !u.usedElsewhere(call) {
			return false
		}
		c.remove(s.Node())
	}
	return true
}

// usedElsewhere reports whether the client of a call is a local variable that has another use: it would not compile
// without one.
func (u *Unit) usedElsewhere(call *ast.CallExpr) bool {
	v, ok := u.Root(call.Fun.(*ast.SelectorExpr).X).(*types.Var)
	return ok && v.Kind() == types.LocalVar && len(u.Uses(u.root, v)) > 1
}
