package checks

import (
	"go/ast"
	"go/types"

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
		if isMethod(u.callee(call), "net/http", "Transport", "Clone") {
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
			client, _ := r.root(sel).(*types.Var)
			return client != nil && r.local(client) && r.variable(client)
		}
		v := r.assigned(cur)
		return v != nil && r.local(v) && r.variable(v)
	case *ast.ValueSpec:
		v := r.assigned(cur)
		return v != nil && r.variable(v)
	case *ast.BinaryExpr:
		return true // compared
	}
	return false
}

// local reports whether a variable is of this function, and not of one around it.
func (r *requests) local(v *types.Var) bool {
	n := r.in.Node()
	return n.Pos() <= v.Pos() && v.Pos() < n.End() && v.Kind() == types.LocalVar
}

func (r *requests) variable(v *types.Var) bool {
	for _, known := range r.seen {
		if known == v {
			return true
		}
	}
	r.seen = append(r.seen, v)
	for _, use := range r.uses(r.in, v) {
		if !r.value(use) {
			return false
		}
	}
	return true
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
	if isMethod(fn, "net/http", "Client", "Do", "Get", "Head", "Post", "PostForm") ||
		isMethod(fn, "net/http", "Transport", "RoundTrip") {
		r.sent = true
		l, again := loop(sel)
		r.many = r.many || again && !l.Contains(r.made)
	}
	return fn.Name() != "Clone" || r.value(sel.Parent())
}
