package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

var requestNoContext = check("requestnocontext", findRequestNoContext, `report requests and queries without the context that the function has, or without any time-out

When the caller has gone, or its deadline is over, the work goes on: under load, a service does most of its work for
nobody, and a slow backend holds its goroutines and connections until its own timeout, if there is one.

Reported are http.Get and its like, http.NewRequest, and database/sql's calls without Context, in a function that was
given a context or a request. Not reported: requests that get a context by WithContext, work that must end without its
caller (in a goroutine of its own, or in defer). No fix is suggested: that the work ends with its caller is a change.

Elsewhere http.Get and its like are reported, and those methods of http.DefaultClient: they have no time-out, so that a
server which accepts and does not answer holds the goroutine for ever, and all that wait for it. Not in commands that
serve nothing, which a person ends, nor in packages for tests.`)

func findRequestNoContext(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		var instead string
		switch {
		case isFunc(fn, "net/http", "NewRequest"):
			instead = "http.NewRequestWithContext"
		case isFunc(fn, "net/http", "Get", "Head", "Post", "PostForm"),
			isMethod(fn, "net/http", "Client", "Get", "Head", "Post", "PostForm"):
			instead = "http.NewRequestWithContext and Do"
		case isMethod(fn, "database/sql", "DB", "Query", "QueryRow", "Exec", "Prepare", "Ping"),
			isMethod(fn, "database/sql", "Tx", "Query", "QueryRow", "Exec", "Prepare"),
			isMethod(fn, "database/sql", "Stmt", "Query", "QueryRow", "Exec"):
			instead = fn.Name() + "Context"
		default:
			continue
		}
		f, ok := function(cur)
		switch {
		case ok && u.hasContext(f) && !deferred(cur) && !u.getsContext(f):
			u.report(call, "this goes on when the caller has gone: pass the function's context on, with "+instead)
		case u.neverGivesUp(call, fn) && u.runsLong():
			u.report(call, "this has no time-out, and waits for ever for a server that does not answer: give a client "+
				"of your own a Timeout, or a request a context that ends")
		}
	}
}

// neverGivesUp reports whether a call is one of http.DefaultClient, by itself or by the functions that use it.
func (u *unit) neverGivesUp(call *ast.CallExpr, fn *types.Func) bool {
	if isFunc(fn, "net/http", "Get", "Head", "Post", "PostForm") {
		return true
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isMethod(fn, "net/http", "Client", "Get", "Head", "Post", "PostForm") {
		return false
	}
	client, ok := method.X.(*ast.SelectorExpr)
	return ok && client.Sel.Name == "DefaultClient" && u.TypesInfo.Uses[client.Sel].Pkg().Path() == "net/http"
}

// runsLong reports whether a package may be of a process that nobody watches: a library that is not for tests, or a
// command that serves.
func (u *unit) runsLong() bool {
	for _, p := range u.Pkg.Imports() {
		if p.Path() == "testing" || p.Path() == "net/http/httptest" {
			return false
		}
	}
	if u.Pkg.Name() != "main" {
		return true
	}
	for _, o := range u.TypesInfo.Uses {
		if fn, ok := o.(*types.Func); ok && slices.Contains(serving, fn.Name()) {
			return true
		}
	}
	return false
}

// serving are the functions and methods that serve, in net/http, gRPC and their like.
var serving = []string{"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"}

// hasContext reports whether a function has a context or a request as a parameter that it names.
func (u *unit) hasContext(f inspector.Cursor) bool {
	for v := range u.signature(f).Params().Variables() {
		if v.Name() != "" && v.Name() != "_" &&
			(isNamed(v.Type(), "context", "Context") || isNamed(v.Type(), "net/http", "Request")) {
			return true
		}
	}
	return false
}

func deferred(cur inspector.Cursor) bool {
	_, ok := cur.Parent().Node().(*ast.DeferStmt)
	return ok
}

// getsContext reports whether a function gives a request a context later, or builds one that it does not send.
func (u *unit) getsContext(f inspector.Cursor) bool {
	for _, sel := range below[*ast.SelectorExpr](f) {
		if fn, ok := u.TypesInfo.Uses[sel.Sel].(*types.Func); ok &&
			isMethod(fn, "net/http", "Request", "WithContext", "Clone") {
			return true
		}
		if sel.Sel.Name == "Cancel" && isNamed(u.TypesInfo.TypeOf(sel.X), "net/http", "Request") {
			return true // as it was done before Go 1.7
		}
	}
	return false
}
