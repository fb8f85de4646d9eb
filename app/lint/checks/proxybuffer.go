package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var proxyBuffer = check("proxybuffer", findProxyBuffer, `report a httputil.ReverseProxy without a BufferPool

It copies each answer through a buffer of 32 kB, which it makes for that answer (BenchmarkCost/copybuffer) unless BufferPool
has one.

It counts only with heat, by what the proxy's copying allocates anywhere in the program. Not reported: proxies of a
package that sets a BufferPool somewhere.`)

const proxies = "net/http/httputil"

func findProxyBuffer(u *unit) {
	const do = "each answer is copied through a new buffer of 32 kB: give the proxy a BufferPool"
	var found []ast.Expr
	for _, lit := range each[*ast.CompositeLit](u) {
		if t := u.TypesInfo.TypeOf(lit); isNamed(t, proxies, "ReverseProxy") && !isPointer(t) {
			found = append(found, lit)
		}
	}
	for _, call := range each[*ast.CallExpr](u) {
		if isFunc(u.callee(call), proxies, "NewSingleHostReverseProxy") ||
			u.builtin(call) == "new" && isNamed(u.TypesInfo.TypeOf(call.Args[0]), proxies, "ReverseProxy") {
			found = append(found, call)
		}
	}
	if len(found) == 0 || u.pools() {
		return
	}
	for _, e := range found {
		u.report(e, do)
	}
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// pools reports whether a package gives a proxy a BufferPool: as a field of a literal, or by assignment.
func (u *unit) pools() bool {
	for cur, id := range each[*ast.Ident](u) {
		v, ok := u.TypesInfo.Uses[id].(*types.Var)
		if ok && v.IsField() && v.Name() == "BufferPool" && v.Pkg() != nil && v.Pkg().Path() == proxies && isSet(cur) {
			return true
		}
	}
	return false
}

// isSet reports whether a field's name is where it gets its value.
func isSet(name inspector.Cursor) bool {
	switch name.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return true
	case edge.SelectorExpr_Sel:
		return name.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs
	}
	return false
}
