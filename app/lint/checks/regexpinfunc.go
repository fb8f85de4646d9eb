package checks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var regexpInFunc = &analysis.Analyzer{
	Name: "regexpinfunc",
	Doc: `report regular expressions of a constant pattern that a function compiles at every call

Compiling parses the pattern and builds the automaton. For a pattern of ten characters that is 1.8 µs and 1 kB, where
replacing in a short text takes 0.7 µs (BenchmarkCost/regexp).

Not reported: patterns that are not constant, what runs once (package variables, init, main, sync.Once, functions named
after the start or the configuration), and what is stored in a field, an element or a package variable, or returned:
whoever keeps it does not compile it at every call.`,
	Requires: needs,
	Run:      over(findRegexpInFunc),
}

func findRegexpInFunc(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		compiles := isFunc(fn, "regexp", "Compile", "MustCompile", "CompilePOSIX", "MustCompilePOSIX")
		matches := isFunc(fn, "regexp", "Match", "MatchString", "MatchReader")
		if !compiles && !matches || !u.constant(call.Args[0]) || u.runsOnce(cur) {
			continue
		}
		if _, again := loop(cur); compiles && !again && u.outlives(cur) {
			continue
		}
		if matches {
			u.report(call, "regexp."+fn.Name()+" compiles its pattern at every call: compile it once, in a package variable")
			continue
		}
		var fixes []analysis.SuggestedFix
		if fn.Name() == "MustCompile" && compilesWell(u, call) && !u.callsLongest(cur) {
			fixes = u.hoist(cur, "Pattern")
		}
		u.report(call, "this constant pattern is compiled at every call: compile it once, in a package variable", fixes...)
	}
}

// compilesWell reports whether a pattern is right: a wrong one in a package variable would panic at the start instead
// of at the call.
func compilesWell(u *unit, call *ast.CallExpr) bool {
	_, err := regexp.Compile(constant.StringVal(u.TypesInfo.Types[call.Args[0]].Value))
	return err == nil
}

// callsLongest reports whether a function calls the one method that changes an expression for all who share it.
func (u *unit) callsLongest(cur inspector.Cursor) bool {
	f, ok := function(cur)
	if !ok {
		return true
	}
	for _, sel := range below[*ast.SelectorExpr](f) {
		if fn, ok := u.TypesInfo.Uses[sel.Sel].(*types.Func); ok && isMethod(fn, "regexp", "Regexp", "Longest") {
			return true
		}
	}
	return false
}
