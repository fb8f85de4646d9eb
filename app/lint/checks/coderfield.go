package checks

import (
	"fmt"
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var coderField = check("coderfield", findCoderField, `report compressors that a method makes anew for a field that has one

The field's compressor has its tables already: Reset gives it something else to write to (figures at coderpercall).

It counts only with heat, by what compressors cost that are made below this file's functions: a gzip.Writer makes its
tables when it is first written to. Reported are assignments to a field of the receiver, also in a method that is called
initialize: it is the profile that says how often. Not reported: fields that are Reset somewhere in the package.`)

func findCoderField(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
			continue
		}
		i := slices.IndexFunc(coders, func(c coder) bool { return isFunc(fn, c.path, c.names...) })
		field, ok := ast.Unparen(cur.Parent().Node().(*ast.AssignStmt).Lhs[0]).(*ast.SelectorExpr)
		if i < 0 || !ok || !u.ofReceiver(cur, field) || u.fieldIsReset(field) {
			continue
		}
		u.report(call, fmt.Sprintf("%s is %s, made anew for a field that may have one: Reset that", coders[i].what, coders[i].size))
	}
}

// ofReceiver reports whether a field is of the receiver of the method that a node is in.
func (u *unit) ofReceiver(cur inspector.Cursor, field *ast.SelectorExpr) bool {
	d := declaration(cur)
	if d == nil || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return false
	}
	return u.isUse(field.X, u.TypesInfo.Defs[d.Recv.List[0].Names[0]])
}

// fieldIsReset reports whether a package resets what is in a field.
func (u *unit) fieldIsReset(field *ast.SelectorExpr) bool {
	of := u.TypesInfo.ObjectOf(field.Sel)
	for cur, sel := range each[*ast.SelectorExpr](u) {
		if u.TypesInfo.ObjectOf(sel.Sel) != of {
			continue
		}
		if up, ok := cur.Parent().Node().(*ast.SelectorExpr); ok && up.Sel.Name == "Reset" {
			return true
		}
	}
	return false
}
