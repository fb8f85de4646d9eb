package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var requestNoContext = &analysis.Analyzer{
	Name: "requestnocontext",
	Doc: `report requests and queries that are made without the context that the function has

When the caller has gone, or its deadline is over, the work goes on: under load, a service does most of its work for
nobody, and a slow backend holds its goroutines and connections until its own timeout, if there is one.

Reported are http.Get and its like, http.NewRequest, and database/sql's calls without Context, in a function that was
given a context or a request. Not reported: requests that get a context by WithContext, work that must end without its
caller (in a goroutine of its own, or in defer). No fix is suggested: that the work ends with its caller is a change.`,
	Requires: needs,
	Run:      over(findRequestNoContext),
}

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
		if !ok || !u.hasContext(f) || deferred(cur) || u.getsContext(f) {
			continue
		}
		u.report(call, "this goes on when the caller has gone: pass the function's context on, with "+instead)
	}
}

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
