package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

var lookupInLoop = check("lookupinloop", findLookupInLoop, `report functions that ask a database and are called for each element of a collection

The query is in another package, behind an interface or in what makes an answer of a row, so that queryinloop cannot see
it. The profile can: below the call are the driver's functions.

It counts only with heat, by what the databases' packages take below the call. Reported are calls in a range over a slice
or a map that get something of the element, and whose names say that they look something up or make something of it. Not
reported: what changes rows, which a transaction may want one by one; jobs that are run for each element; loops that
leave after the call; what queryinloop has; and what runs once.`)

// lookups are first words of functions that look something up, or make something of what they get.
var lookups = []string{"get", "find", "load", "fetch", "lookup", "query", "list", "count", "has", "exists", "is", "can",
	"resolve", "select", "read", "check", "to", "convert", "map", "build", "make", "new", "render", "format", "fill", "populate",
	"enrich", "attach", "expand", "hydrate", "describe", "decorate", "allowed", "authorize", "must", "with"}

func findLookupInLoop(u *unit) {
	known := u.readers()
	for cur, call := range each[*ast.CallExpr](u) {
		l, again := loop(cur)
		fn := u.callee(call)
		if !again || fn == nil || fn.Pkg() == nil || !strings.Contains(fn.Pkg().Path(), ".") && fn.Pkg() != u.Pkg ||
			u.runsOnce(cur) || u.coldIn(cur, l) || startsLater(cur) || known[fn.Origin()] || u.readsRows(call) {
			continue
		}
		r, ok := l.Node().(*ast.RangeStmt)
		if !ok || !u.isCollection(r.X) || !u.ofElement(call, r) || !looksUp(fn) {
			continue
		}
		u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: "below this a database is asked, for each element: ask for all of them at once, and look the answers up",
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: "is asked here"}}})
	}
}

// looksUp reports whether a function's name says that it looks something up, or makes something of what it gets.
func looksUp(fn *types.Func) bool {
	w := words(fn.Name())
	return len(w) > 0 && slices.Contains(lookups, w[0])
}
