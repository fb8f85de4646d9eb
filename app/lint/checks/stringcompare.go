package checks

import (
	"go/ast"
	"go/token"
	"go/types"
)

var stringCompare = check("stringcompare", findStringCompare, `report values that become text only to be compared

a.String() == b.String() formats and allocates twice: for two IP addresses 32 bytes and 74 ns, where Equal takes 5 ns
(BenchmarkCost/stringcompare).

It counts only with heat, by what passes the comparison. Reported are String methods of values of one type that has an
Equal or Compare method for it, or that == compares, such as netip.Addr. Not reported: types with a String method of
this module and no Equal, whose text may mean less than the value; what compares nothing but the text; and what is made
for a test or runs once.`)

func findStringCompare(u *unit) {
	for cur, e := range each[*ast.BinaryExpr](u) {
		if e.Op != token.EQL && e.Op != token.NEQ || u.runsOnce(cur) {
			continue
		}
		a, b := u.texted(e.X), u.texted(e.Y)
		if a == nil || b == nil || !types.Identical(a, b) {
			continue
		}
		if how := u.comparison(a); how != "" {
			u.report(e, "both become text only to be compared: "+how)
		}
	}
}

// texted is the type of x in x.String(), or nil.
func (u *unit) texted(e ast.Expr) types.Type {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := u.callee(call)
	if !ok || fn == nil || fn.Name() != "String" || fn.Signature().Recv() == nil {
		return nil
	}
	return u.TypesInfo.TypeOf(sel.X)
}

// comparison says how two values of a type compare without their text, "" where that may be something else.
func (u *unit) comparison(t types.Type) string {
	if types.IsInterface(t) {
		return ""
	}
	if isNamed(t, "net/netip", "Addr") || isNamed(t, "net/netip", "AddrPort") || isNamed(t, "net/netip", "Prefix") ||
		isNamed(t, "github.com/google/uuid", "UUID") {
		return "== compares the values themselves"
	}
	for _, name := range []string{"Equal", "Compare"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, u.Pkg, name)
		if fn, ok := obj.(*types.Func); ok && takesItself(fn, t) {
			return "use its " + name
		}
	}
	return ""
}

// takesItself reports whether a method has one parameter, of its receiver's type or a pointer to it.
func takesItself(fn *types.Func, t types.Type) bool {
	params := fn.Signature().Params()
	return params.Len() == 1 && types.Identical(deref(params.At(0).Type()), deref(t))
}
