package checks

import (
	"go/ast"
)

var errorHot = check("errorhot", findErrorHot, `report errors that are formatted, or made with a stack, where that costs

An error that says "not found" at each second look-up is no exception but an answer. fmt.Errorf formats it, with three
allocations, for a caller who only asks whether it is nil (BenchmarkCostAgain/error); errors of github.com/pkg/errors
walk the stack as well. A package variable, a bool or a type that formats in Error costs nothing until somebody prints
it.

It counts only with heat: an error that is rare costs nothing. Not reported: package variables, and what runs once.`)

func findErrorHot(u *unit) {
	const formatted = "this error is made so often that it is an answer: return one that was made once, a bool, or a " +
		"type that formats when it is printed"
	const traced = "this error is made so often that it is an answer, and each time the stack is walked: return one of " +
		"the errors package that was made once, or a bool"
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if _, ok := function(cur); !ok || fn == nil || fn.Pkg() == nil || u.runsOnce(cur) {
			continue
		}
		switch {
		case isFunc(fn, "fmt", "Errorf"):
			u.report(call, formatted)
		case isFunc(fn, "github.com/pkg/errors", "New", "Errorf", "Wrap", "Wrapf", "WithStack") ||
			isFunc(fn, "github.com/cockroachdb/errors", "New", "Newf", "Errorf", "Wrap", "Wrapf", "WithStack") ||
			isFunc(fn, "golang.org/x/xerrors", "New", "Errorf"):
			u.report(call, traced)
		}
	}
}
