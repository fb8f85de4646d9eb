package checks

import (
	"go/ast"
)

var regexpAgain = check("regexpagain", findRegexpAgain, `report patterns that are made at run time and compiled for one use, where that costs

A pattern that a rule or a user gives is usually asked again: keep what it compiled to, by its text, up to a bound. To
compile ten characters takes more than twice as long as to replace with them in a short text (BenchmarkCost/regexp).

It counts only with heat. Reported are expressions of which a function only uses the methods. Not reported: what
regexpinfunc has, what is kept or returned, and what runs once.`)

func findRegexpAgain(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		compiles := isFunc(fn, "regexp", "Compile", "MustCompile", "CompilePOSIX", "MustCompilePOSIX")
		matches := isFunc(fn, "regexp", "Match", "MatchString", "MatchReader")
		if !compiles && !matches || u.runsOnce(cur) || u.constant(call.Args[0]) || u.inField(cur, call.Args[0]) {
			continue
		}
		_, chained := cur.Parent().Node().(*ast.SelectorExpr)
		if compiles && (!u.onlyMatches(cur) || chained && u.isParameter(cur, call.Args[0])) {
			continue
		}
		u.report(call, "this pattern is compiled at every call: keep those compiled by their text, up to a bound")
	}
}
