package settle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// hasDeadline answers where the call that would get a deadline has one: its context's, or its client's. What such a call
// waits in ends by itself, so that it does not stay.
func hasDeadline(q *inquiry) []answer {
	for _, p := range q.own() {
		for _, call := range onLine[*ast.CallExpr](p) {
			by := p.deadlineOf(call, depth)
			if by == nil {
				continue
			}
			what, at := text(call.Fun), p.ref(by.Pos())
			said := p.adds(fmt.Sprintf("%s at %s ends by the deadline at %s already", what, p.ref(call.Pos()), at), call.Pos(),
				by.Pos())
			if q.finding.Kind == "goroutine-leak" {
				said[0].verdict = casefile.Contradicts
			}
			return becomes(said, change{name: "shorter-deadline", last: true, title: fmt.Sprintf("Let the deadline at %s be "+
				"a few times what an answer takes", at), text: fmt.Sprintf("%s ends by it, and who waits until then has it "+
				"from there. What answers so late is the matter: look there.", what), price: "slow answers are lost"})
		}
	}
	return nil
}

// deadlineOf is what ends a call, or what is done with a value, within a minute: the deadline of a context, also of a
// request's, or the Timeout of an HTTP client; nil where none is seen, or on one of several ways there is none.
func (p *place) deadlineOf(e ast.Expr, left int) ast.Node {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return p.deadlineOf(x.X, left)
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && text(kv.Key) == "Timeout" && p.ofType(x, "net/http", "Client") &&
				!p.forLong(kv.Value) {
				return kv
			}
		}
	case *ast.CallExpr:
		return p.deadlineOfCall(x, left)
	case *ast.Ident, *ast.SelectorExpr:
		if v, ok := p.object(x).(*types.Var); ok && left > 0 {
			return p.deadlineOfVar(v, left-1)
		}
	}
	return nil
}

// deadlineOfCall looks at what a call is given and is a method of, and at what functions of the package return.
func (p *place) deadlineOfCall(call *ast.CallExpr, left int) ast.Node {
	c := p.callee(call)
	if c.path == "context" && len(call.Args) > 1 && p.isAny(call.Args[1], "time", "Duration", "Time") &&
		!p.forLong(call.Args[1]) {
		return call
	}
	with := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		with = append(slices.Clip(with), sel.X)
	}
	for _, e := range with {
		if t := p.typeOf(e); t != nil && isContext(t) || p.isAny(e, "net/http", "Request", "Client") {
			if by := p.deadlineOf(e, left); by != nil {
				return by
			}
		}
	}
	var by ast.Node
	for _, d := range p.bodies(call) {
		for _, r := range within[*ast.ReturnStmt](d.Body, nil) {
			if len(r.Results) == 0 || left == 0 {
				return nil
			}
			if by = p.in(d).deadlineOf(r.Results[0], left-1); by == nil {
				return nil
			}
		}
	}
	return by
}

// deadlineOfVar looks at what a variable has: of a context one of its values is enough, since it is made of another.
func (p *place) deadlineOfVar(v *types.Var, left int) (by ast.Node) {
	for _, a := range everywhere[*ast.AssignStmt](p.unit, nil) { // client.Timeout = …
		if sel, ok := ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr); ok && sel.Sel.Name == "Timeout" && p.object(sel.X) == v &&
			p.isAny(sel.X, "net/http", "Client") && !p.forLong(a.Rhs[0]) {
			return a
		}
	}
	values := p.valuesOf(v)
	for _, from := range values {
		if by = p.deadlineOf(from, left); by == nil != isContext(v.Type()) {
			return by
		}
	}
	i := slices.Index(p.params(), types.Object(v))
	if i < 0 || left == 0 {
		return by
	}
	for _, call := range p.callsOf(p.decl) { // all of them
		d := p.declared(call)
		if d == nil || i >= len(call.Args) {
			return nil
		}
		if by = p.in(d).deadlineOf(call.Args[i], left-1); by == nil {
			return nil
		}
	}
	return by
}

// isAny reports whether an expression is of one of some types of a package.
func (p *place) isAny(e ast.Expr, path string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.ofType(e, path, name) })
}

// forLong reports whether a duration is a constant that bounds nothing for who waits.
func (p *place) forLong(e ast.Expr) bool {
	v := p.info.Types[e].Value
	if v == nil {
		return false
	}
	ns, ok := constant.Int64Val(constant.ToInt(v))
	return ok && (ns == 0 || ns >= int64(long))
}
