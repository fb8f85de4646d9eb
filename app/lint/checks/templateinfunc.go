package checks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"text/template/parse"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var templateInFunc = check("templateinfunc", findTemplateInFunc, `report templates that a function parses and executes at every call

Parsing a line of HTML and executing it costs 43 µs and 16 kB, executing alone 11 µs and 1 kB (BenchmarkCost/template):
html/template works out the escaping again for each parsed copy.

Reported is only a template that the same function executes: then it was parsed for this one use. Not reported: text
that is made at run time, and what runs once (package variables, init, main, sync.Once).`)

func findTemplateInFunc(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if !isTemplate(fn, "Parse", "ParseFiles", "ParseGlob", "ParseFS") || !u.constants(call.Args) || u.runsOnce(cur) {
			continue
		}
		must, isMust := u.must(cur)
		v := u.Assigned(must)
		f, ok := function(cur)
		if !ok || v == nil || !u.executes(f, v) {
			continue
		}
		var fixes []analysis.SuggestedFix
		if isMust && u.onlyExecuted(f, v) && u.parses(call) {
			fixes = u.hoist(must, "Template")
		}
		u.report(call, "this template is parsed at every call: parse it once, in a package variable", fixes...)
	}
}

// isTemplate reports whether fn is one of these functions or methods of text/template or html/template.
func isTemplate(fn *types.Func, names ...string) bool {
	return slices.ContainsFunc([]string{"text/template", "html/template"}, func(path string) bool {
		return isFunc(fn, path, names...) || isMethod(fn, path, "Template", names...)
	})
}

// constants reports whether all arguments are known when the program is built: constants, and embedded files.
func (u *unit) constants(args []ast.Expr) bool {
	return !slices.ContainsFunc(args, func(arg ast.Expr) bool {
		obj := u.Root(arg)
		return !u.IsConstant(arg) && (obj == nil || obj.Parent() != u.Pkg.Scope() ||
			!isNamed(obj.Type(), "embed", "FS") && !isBasic(obj.Type(), types.String))
	})
}

// must is the call of template.Must around a call, if there is one, and the call itself otherwise.
func (u *unit) must(cur inspector.Cursor) (inspector.Cursor, bool) {
	if up, ok := cur.Parent().Node().(*ast.CallExpr); ok && isTemplate(u.Callee(up), "Must") {
		return cur.Parent(), true
	}
	return cur, false
}

// executes reports whether a function executes a template.
func (u *unit) executes(f inspector.Cursor, v *types.Var) bool {
	return some(f.Node(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && isTemplate(u.Callee(call), "Execute", "ExecuteTemplate") && receiver(call) != nil &&
			u.IsUse(receiver(call), v)
	})
}

// onlyExecuted reports whether executing is all that a function does with a template.
func (u *unit) onlyExecuted(f inspector.Cursor, v *types.Var) bool {
	return u.All(f, v, func(use inspector.Cursor) bool { return methodUsed(use) == "Execute" })
}

// parses reports whether a call is template.New(constant).Parse(constant) and the text is right: a wrong one in a
// package variable would panic at the start instead of at the call. One with functions of its own is not tried.
func (u *unit) parses(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Parse" || !u.IsConstant(call.Args[0]) {
		return false
	}
	made, ok := sel.X.(*ast.CallExpr)
	if !ok || !isTemplate(u.Callee(made), "New") || len(made.Args) != 1 || !u.IsConstant(made.Args[0]) {
		return false
	}
	text := constant.StringVal(u.TypesInfo.Types[call.Args[0]].Value)
	_, err := parse.Parse("", text, "", "", templateBuiltins)
	return err == nil
}

// templateBuiltins are the functions that every template has (text/template/funcs.go of Go 1.26); the parser asks only
// for the names.
var templateBuiltins = map[string]any{
	"and": 0, "break": 0, "call": 0, "continue": 0, "eq": 0, "ge": 0, "gt": 0, "html": 0, "index": 0, "js": 0,
	"le": 0, "len": 0, "lt": 0, "ne": 0, "not": 0, "or": 0, "print": 0, "printf": 0, "println": 0, "slice": 0,
	"urlquery": 0,
}
