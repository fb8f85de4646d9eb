package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var walkAgain = check("walkagain", findWalkAgain, `report functions that walk what refers to others by name, without a note of what they have seen

Groups that are in groups, roles of roles, modules that require each other: what three others refer to is walked three
times, with all that is below it, and eight layers of that are thousands of walks where 32 groups are.

It counts only with heat. Reported are functions that find something in a map by a parameter, and call themselves in a
loop with what it refers to. Not reported: those that look into a second map by that parameter, or into a slice for it, or
put it into one: they have a note; those that follow pointers, as in a tree; and what runs once.`)

func findWalkAgain(u *unit) {
	for cur, f := range each[*ast.FuncDecl](u) {
		self := u.TypesInfo.Defs[f.Name]
		for at, call := range below[*ast.CallExpr](cur) {
			l, ok := loop(at)
			if self == nil || types.Object(u.callee(call)) != self || !ok || u.runsOnce(at) {
				continue
			}
			r, ok := l.Node().(*ast.RangeStmt)
			if !ok || r.Value == nil {
				continue
			}
			for i, arg := range call.Args {
				if name := u.param(f, i); u.isUse(arg, u.declares(r.Value)) && name != nil && u.foundBy(cur, name) {
					u.report(call, "what is found by "+name.Name()+" may be referred to more than once, and all below it is "+
						"walked each time: note what was visited, or keep what each call makes by "+name.Name())
				}
			}
		}
	}
}

// param is a parameter of a function by its number; nil if it has no name.
func (u *unit) param(f *ast.FuncDecl, i int) *types.Var {
	fn, ok := u.TypesInfo.Defs[f.Name].(*types.Func)
	if !ok || i >= fn.Signature().Params().Len() || fn.Signature().Params().At(i).Name() == "" {
		return nil
	}
	return fn.Signature().Params().At(i)
}

// foundBy reports whether what a function does with a parameter is to find something in one map by it, and nothing that
// may be a note of what it has seen.
func (u *unit) foundBy(f inspector.Cursor, name *types.Var) bool {
	in := ""
	for _, use := range u.uses(f, name) {
		switch p := use.Parent().Node().(type) {
		case *ast.IndexExpr:
			_, isMap := u.under(p.X).(*types.Map)
			of := types.ExprString(p.X)
			if !isMap || use.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs || in != "" && in != of {
				return false
			}
			in = of
		case *ast.CallExpr:
			if fn := u.callee(p); fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
				return false
			}
		}
	}
	return in != ""
}
