package checks

import (
	"go/ast"
	"go/types"
)

var jsonIndent = check("jsonindent", findJSONIndent, `report JSON that is indented where it costs

Indenting goes over the whole text again, and makes it longer for who sends and who reads it: an answer of 24 kB
allocates 254 kB and not 146 (BenchmarkCostAgain/indent).

It counts only with heat, by what indenting takes. Not reported: an indentation that a variable decides, which
somebody may have asked for, and what runs once.`)

func findJSONIndent(u *unit) {
	const do = "indenting goes over all of it again and makes it larger: programs read it without, so indent only for " +
		"who asks"
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		switch {
		case u.runsOnce(cur):
		case isFunc(fn, "encoding/json", "MarshalIndent") && u.constant(call.Args[2]):
			u.report(call, do)
		case isMethod(fn, "encoding/json", "Encoder", "SetIndent") && u.constant(call.Args[1]):
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			f, in := function(cur)
			if !ok || !in {
				continue
			}
			if v, local := u.root(sel.X).(*types.Var); local && v.Kind() == types.LocalVar && within(f.Node(), v.Pos()) {
				u.reportUses(f, v, call, do)
			}
		}
	}
}
