package checks

import (
	"go/ast"
	"slices"
	"strings"
)

var regexpHot = check("regexphot", findRegexpHot, `report regular expressions that are matched where the CPU goes

Package regexp follows all ways to match at once, some ten nanoseconds for each byte and more. strings.Contains, Cut or
a loop over the bytes takes a tenth, and a text that a match must have tells first whether there can be one.

It counts only with heat, from some percent on. Reported are the methods of a regexp.Regexp that match, find or replace.
Not reported: what runs once.`)

func findRegexpHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Signature().Recv() == nil || !isNamed(fn.Signature().Recv().Type(), "regexp", "Regexp") ||
			u.runsOnce(cur) {
			continue
		}
		matches := slices.ContainsFunc([]string{"Match", "Find", "Replace", "Split"}, func(begin string) bool {
			return strings.HasPrefix(fn.Name(), begin)
		})
		if matches {
			u.report(call, "a pattern is matched at each pass: look first for a text that a match must have, or cut it by hand")
		}
	}
}
