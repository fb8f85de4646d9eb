package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var bodyUnread = check("bodyunread", findBodyUnread, `report a response whose body is closed and never read

net/http uses an HTTP/1 connection again only when the body was read to its end. A body that is closed before costs the
next request a new connection, and for https a handshake. Copy the rest to io.Discard before Close, up to a limit.

Go 1.27 reads up to 256 kB of the rest itself (net/http/transport.go, maxPostCloseReadBytes): files of modules for 1.27
are not reported. Neither are HEAD requests, nor responses that are passed on or whose body is used in any way.`)

func findBodyUnread(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if !isMethod(fn, "net/http", "Client", "Do", "Get", "Post", "PostForm") &&
			!isFunc(fn, "net/http", "Get", "Post", "PostForm") || !u.before(cur, "go1.27") || u.runsOnce(cur) {
			continue
		}
		v := u.assigned(cur)
		f, ok := function(cur)
		if v == nil || !ok || !u.onlyClosed(f, v) || syntax.MentionsHead(f) {
			continue
		}
		u.report(call, "the body of this response is closed unread, so the connection is not used again: copy it to "+
			"io.Discard before Close")
	}
}

// onlyClosed reports whether all that a function does with a response is to look at its fields and close its body.
func (u *unit) onlyClosed(f inspector.Cursor, v *types.Var) bool {
	closed := false
	return u.onlyLooks(f, v, func(selected inspector.Cursor, sel *ast.SelectorExpr) bool {
		if sel.Sel.Name != "Body" {
			_, method := u.TypesInfo.Uses[sel.Sel].(*types.Func)
			return !method
		}
		end, ok := selected.Parent().Node().(*ast.SelectorExpr)
		closed = closed || ok && end.Sel.Name == "Close"
		return ok && end.Sel.Name == "Close"
	}) && closed
}

// onlyLooks reports whether all that a function does with a response is to compare it, to set it, and to select from it
// what is allowed.
func (u *unit) onlyLooks(f inspector.Cursor, v *types.Var,
	allowed func(selected inspector.Cursor, sel *ast.SelectorExpr) bool) bool {
	for _, use := range u.uses(f, v) {
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			if !allowed(use.Parent(), p) {
				return false
			}
		case *ast.BinaryExpr:
		case *ast.AssignStmt:
			if use.ParentEdgeKind() != edge.AssignStmt_Lhs {
				return false
			}
		default:
			return false
		}
	}
	return true
}
