package checks

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var coderWrapped = check("coderwrapped", findCoderWrapped, `report compressors that are made at each call for something around them

A writer of answers with a gzip.Writer in it, or a function that others get a compressor from, makes its tables each
time (figures at coderpercall), in whatever method writes first.

It counts only with heat, by what compressors of that type allocate below the functions of the file. Reported are those
that are made in a literal, and those that are returned to other packages. Not reported: what coderpercall and coderfield
have, what a pool makes, packages that Reset a compressor of the type, and what runs once.`)

func findCoderWrapped(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil {
			continue
		}
		i := slices.IndexFunc(coders, func(c coder) bool { return isFunc(fn, c.path, c.names...) })
		f, ok := function(cur)
		if i < 0 || !ok || u.runsOnce(cur) || u.hasPool(f) || u.inPool(f) ||
			!u.leavesBy(cur, f) && !inLiteral(cur) || u.usersOf(cur, call) != nil || u.resetsType(u.TypesInfo.TypeOf(call)) {
			continue
		}
		typ := coderType(fn)
		if typ == "" {
			continue
		}
		c := coders[i]
		u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: fmt.Sprintf("%s is %s, made at every call for what is around it: keep them in a sync.Pool and Reset them",
				c.what, c.size),
			// What counts, as a profile names it: lint's Check.Named.
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: typ}}})
	}
}

// coderType begins the names of the methods of what a function makes, as a profile has them.
func coderType(fn *types.Func) string {
	n, ok := types.Unalias(deref(fn.Signature().Results().At(0).Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return symbolPath(n.Obj().Pkg()) + ".(*" + n.Obj().Name() + ")."
}

// inLiteral reports whether an expression is a part of a struct's literal.
func inLiteral(cur inspector.Cursor) bool {
	for ; ; cur = cur.Parent() {
		switch cur.Parent().Node().(type) {
		case *ast.CompositeLit:
			return true
		case *ast.KeyValueExpr, *ast.ParenExpr, *ast.UnaryExpr:
		default:
			return false
		}
	}
}

// inPool reports whether a function is the New of a sync.Pool.
func (u *unit) inPool(f inspector.Cursor) bool {
	for lit := range f.Enclosing((*ast.CompositeLit)(nil)) {
		return isNamed(u.TypesInfo.TypeOf(lit.Node().(*ast.CompositeLit)), "sync", "Pool")
	}
	return false
}

// resetsType reports whether the package gives any compressor of a type something else to work on.
func (u *unit) resetsType(t types.Type) bool {
	if pair, ok := t.(*types.Tuple); ok {
		t = pair.At(0).Type()
	}
	for _, sel := range each[*ast.SelectorExpr](u) {
		if sel.Sel.Name == "Reset" && types.Identical(u.TypesInfo.TypeOf(sel.X), t) {
			return true
		}
	}
	return false
}
