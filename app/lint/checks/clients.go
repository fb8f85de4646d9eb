package checks

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var clientPerCall = check("clientpercall", findClientPerCall, `report an http.Transport that a function makes, uses for its requests and throws away

Connections belong to the transport. With one for each call, no request finds an open connection: on the loopback a
request over TLS takes 3.4 ms instead of 0.09 ms (BenchmarkCost/transport), and between machines two round trips more.
The connection that it leaves stays open, with two goroutines, until the other side closes it: IdleConnTimeout of a
literal is 0, which is for ever.

Not reported: an http.Client without a Transport, which shares http.DefaultTransport and costs nothing; a client that is
stored, returned or passed on, or with which a loop of the function makes its requests; what runs once (package
variables, init, main, sync.Once).`)

func findClientPerCall(u *unit) {
	for cur, lit := range each[*ast.CompositeLit](u) {
		if isNamed(u.TypesInfo.TypeOf(lit), "net/http", "Transport") {
			u.clientMade(cur)
		}
	}
	for cur, call := range each[*ast.CallExpr](u) {
		if isMethod(u.Callee(call), "net/http", "Transport", "Clone") {
			u.clientMade(cur)
		}
	}
}

// clientMade reports a transport whose function makes requests with it and keeps it to itself.
func (u *unit) clientMade(made inspector.Cursor) {
	f, ok := function(made)
	if !ok || u.runsOnce(made) {
		return
	}
	r := requests{unit: u, in: f, made: made}
	if !r.value(made) || !r.sent || r.many {
		return
	}
	u.report(made.Node(), "this transport is made at every call, and so is each connection: share one client, in a "+
		"package variable or a field")
}

// requests follows a transport, and the client that it becomes part of, through a function.
type requests struct {
	*unit
	in   inspector.Cursor
	made inspector.Cursor
	seen []*types.Var
	sent bool // a request
	many bool // in a loop: these share the transport
}

// value reports whether a value stays within the function, and notes requests made with it.
func (r *requests) value(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.UnaryExpr, *ast.ParenExpr:
		return r.value(cur.Parent())
	case *ast.SelectorExpr:
		return r.method(cur.Parent())
	case *ast.KeyValueExpr:
		lit := cur.Parent().Parent()
		return isNamed(r.TypesInfo.TypeOf(lit.Node().(ast.Expr)), "net/http", "Client") && r.value(lit)
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return true // v = …: another value
		}
		sel, ok := p.Lhs[cur.ParentEdgeIndex()].(*ast.SelectorExpr)
		if ok && isNamed(r.TypesInfo.TypeOf(sel.X), "net/http", "Client") {
			client, _ := r.Root(sel).(*types.Var)
			return client != nil && r.own(client) && r.variable(client)
		}
		v := r.Assigned(cur)
		return v != nil && r.own(v) && r.variable(v)
	case *ast.ValueSpec:
		v := r.Assigned(cur)
		return v != nil && r.variable(v)
	case *ast.BinaryExpr:
		return true // compared
	}
	return false
}

// own reports whether a variable is of this function, and not of one around it.
func (r *requests) own(v *types.Var) bool {
	return within(r.in.Node(), v.Pos()) && v.Kind() == types.LocalVar
}

func (r *requests) variable(v *types.Var) bool {
	if slices.Contains(r.seen, v) {
		return true
	}
	r.seen = append(r.seen, v)
	return r.All(r.in, v, r.value)
}

// method notes a request, and lets the fields and the other methods of clients and transports pass.
func (r *requests) method(sel inspector.Cursor) bool {
	fn, ok := r.TypesInfo.Uses[sel.Node().(*ast.SelectorExpr).Sel].(*types.Func)
	if !ok {
		return true // a field
	}
	if sel.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	if rowOf(requesting, fn) != nil || isMethod(fn, "net/http", "Transport", "RoundTrip") {
		r.sent = true
		l, again := loop(sel)
		r.many = r.many || again && !l.Contains(r.made)
	}
	return fn.Name() != "Clone" || r.value(sel.Parent())
}

var requestNoContext = check("requestnocontext", findRequestNoContext, `report requests and queries without the context that the function has, or without any time-out

When the caller has gone, or its deadline is over, the work goes on: under load, a service does most of its work for
nobody, and a slow backend holds its goroutines and connections until its own timeout, if there is one.

Reported are http.Get and its like, http.NewRequest, and database/sql's calls without Context, in a function that was
given a context or a request. Not reported: requests that get a context by WithContext, work that must end without its
caller (in a goroutine of its own, or in defer). No fix is suggested: that the work ends with its caller is a change.

Elsewhere http.Get and its like are reported, and those methods of http.DefaultClient: they have no time-out, so that a
server which accepts and does not answer holds the goroutine for ever, and all that wait for it. Not in commands that
serve nothing, which a person ends, nor in packages for tests.`)

var withoutContext = []callee{
	{"net/http", "", "NewRequest", "http.NewRequestWithContext"},
	{"net/http", "", oneShot, "http.NewRequestWithContext and Do"},
	{"net/http", "Client", oneShot, "http.NewRequestWithContext and Do"},
	{"database/sql", "DB", "Query QueryRow Exec Prepare Ping", ""}, // with Context at the end
	{"database/sql", "Tx", "Query QueryRow Exec Prepare", ""},
	{"database/sql", "Stmt", "Query QueryRow Exec", ""},
}

func findRequestNoContext(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		row := rowOf(withoutContext, fn)
		if row == nil {
			continue
		}
		f, ok := function(cur)
		switch {
		case ok && u.hasContext(f) && cur.ParentEdgeKind() != edge.DeferStmt_Call && !u.getsContext(f):
			u.report(call, "this goes on when the caller has gone: pass the function's context on, with "+
				cmp.Or(row.says, fn.Name()+"Context"))
		case u.neverGivesUp(call, fn) && u.runsLong():
			u.report(call, "this has no time-out, and waits for ever for a server that does not answer: give a client "+
				"of your own a Timeout, or a request a context that ends")
		}
	}
}

// neverGivesUp reports whether a call is one of http.DefaultClient, by itself or by the functions that use it.
func (u *unit) neverGivesUp(call *ast.CallExpr, fn *types.Func) bool {
	names := strings.Fields(oneShot)
	if isFunc(fn, "net/http", names...) {
		return true
	}
	client, ok := receiver(call).(*ast.SelectorExpr)
	return ok && isMethod(fn, "net/http", "Client", names...) && client.Sel.Name == "DefaultClient" &&
		u.TypesInfo.Uses[client.Sel].Pkg().Path() == "net/http"
}

// runsLong reports whether a package may be of a process that nobody watches: a library that is not for tests, or a
// command that serves.
func (u *unit) runsLong() bool {
	if slices.ContainsFunc(u.Pkg.Imports(), func(p *types.Package) bool {
		return p.Path() == "testing" || p.Path() == "net/http/httptest"
	}) {
		return false
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
	return u.takesAny(f, func(v *types.Var) bool {
		return v.Name() != "" && v.Name() != "_" && isAny(v.Type(), "context.Context", "net/http.Request")
	})
}

// getsContext reports whether a function gives a request a context later, or builds one that it does not send.
func (u *unit) getsContext(f inspector.Cursor) bool {
	return some(f.Node(), func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		fn, _ := u.TypesInfo.Uses[sel.Sel].(*types.Func)
		return isMethod(fn, "net/http", "Request", "WithContext", "Clone") ||
			sel.Sel.Name == "Cancel" && isNamed(u.TypesInfo.TypeOf(sel.X), "net/http", "Request") // as before Go 1.7
	})
}
