package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var bodyClose = check("bodyclose", findBodyClose, `report a response whose body nobody closes

The connection of such a response is never used again and never closed: the transport keeps it with two goroutines and
two buffers of 4 kB until the other side gives up (net/http, Client.Do). Close the body when err is nil.

Reported are responses of package net/http's clients that are dropped, and those of which a function only looks at the
fields or reads the body with functions that do not close it. Not reported: a response, or its body, that goes anywhere
else, because it may be closed there. The linter of the same name follows it through other functions, for an SSA form of
all dependencies.`)

const oneShot = "Get Head Post PostForm"

// requesting are the functions and methods of net/http that answer with a response.
var requesting = []callee{{"net/http", "Client", "Do " + oneShot, ""}, {"net/http", "", oneShot, ""}}

func findBodyClose(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if f, ok := function(cur); ok && rowOf(requesting, u.Callee(call)) != nil && u.neverClosed(cur, f) {
			u.report(call, "nobody closes the body of this response, so its connection and two goroutines stay: close it "+
				"when err is nil")
		}
	}
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
	_, v := u.Local(cur)
	return v != nil && u.onlyLooks(f, v, func(selected inspector.Cursor, sel *ast.SelectorExpr) bool {
		if sel.Sel.Name == "Body" && !u.onlyReads(selected) {
			return false
		}
		fn, method := u.TypesInfo.Uses[sel.Sel].(*types.Func)
		return !method || fn.Name() != "Write" // that writes it, and closes it
	})
}

// readers read what they get, or make what does, and do not close it.
var readers = []callee{{"io", "", "ReadAll Copy CopyN CopyBuffer", ""}, {"io/ioutil", "", "ReadAll", ""},
	{"encoding/json", "", "NewDecoder", ""}, {"encoding/xml", "", "NewDecoder", ""},
	{"bufio", "", "NewReader NewScanner", ""}}

// onlyReads reports whether a body is compared, or an argument of a function that is known to read and not to close.
func (u *unit) onlyReads(body inspector.Cursor) bool {
	switch p := body.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		return body.ParentEdgeKind() == edge.CallExpr_Args && rowOf(readers, u.Callee(p)) != nil
	}
	return false
}

var bodyUnread = check("bodyunread", findBodyUnread, `report a response whose body is closed and never read

net/http uses an HTTP/1 connection again only when the body was read to its end. A body that is closed before costs the
next request a new connection, and for https a handshake. Copy the rest to io.Discard before Close, up to a limit.

Go 1.27 reads up to 256 kB of the rest itself (net/http/transport.go, maxPostCloseReadBytes): files of modules for 1.27
are not reported. Neither are HEAD requests, nor responses that are passed on or whose body is used in any way.`)

func findBodyUnread(u *unit) {
	for cur, call := range u.calls(requesting...) {
		f, v := u.Local(cur)
		if v != nil && u.before(cur, "go1.27") && call.fn.Name() != "Head" && u.onlyClosed(f, v) &&
			!syntax.MentionsHead(f) {
			u.report(call, "the body of this response is closed unread, so the connection is not used again: copy it to "+
				"io.Discard before Close")
		}
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
		closed = methodUsed(selected) == "Close"
		return closed
	}) && closed
}

// onlyLooks reports whether all that a function does with a response is to compare it, to set it, and to select from it
// what is allowed.
func (u *unit) onlyLooks(f inspector.Cursor, v *types.Var,
	allowed func(selected inspector.Cursor, sel *ast.SelectorExpr) bool) bool {
	return u.All(f, v, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			return allowed(use.Parent(), p)
		case *ast.BinaryExpr:
			return true
		}
		return use.ParentEdgeKind() == edge.AssignStmt_Lhs
	})
}
