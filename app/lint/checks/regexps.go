package checks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var regexpInFunc = check("regexpinfunc", findRegexpInFunc, `report regular expressions that a function compiles at every call, of a constant or of a field

Compiling parses the pattern and builds the automaton. For a pattern of ten characters that is 1.8 µs and 1 kB, where
replacing in a short text takes 0.7 µs (BenchmarkCost/regexp).

A pattern of a field, or of a list in one, is reported when the function only matches with it: it should be compiled
when it is read (blackbox_exporter did so at last in #717). One that is a parameter is reported when it is compiled and
used in one expression.

Not reported: other patterns that are made at run time, what runs once (package variables, init, main, sync.Once,
functions named after the start or the configuration), and what is stored in a field, an element or a package variable,
or returned: whoever keeps it does not compile it at every call.`)

// compiling are the functions of regexp that compile a pattern; those that say something forget it at once.
var compiling = []callee{{"regexp", "", "Compile MustCompile CompilePOSIX MustCompilePOSIX", ""},
	{"regexp", "", "Match MatchString MatchReader",
		" compiles its pattern at every call: compile it once, in a package variable"}}

// Where a pattern comes from.
type origin int

const (
	elsewhere  origin = iota // it is made at run time
	isConstant               // the compiler knows it
	isKept                   // in a field, as text
	isGiven                  // by the caller, to be compiled and used in one expression
)

func (u *unit) patternOf(cur inspector.Cursor, c site) origin {
	_, chained := cur.Parent().Node().(*ast.SelectorExpr)
	switch pattern := c.Args[0]; {
	case u.IsConstant(pattern):
		return isConstant
	case u.inField(cur, pattern):
		return isKept
	case c.says == "" && chained && u.isParameter(cur, pattern):
		return isGiven
	}
	return elsewhere
}

func findRegexpInFunc(u *unit) {
	for cur, c := range u.calls(compiling...) {
		matches := c.says != ""
		switch from := u.patternOf(cur, c); {
		case from == isKept && (matches || u.onlyMatches(cur)):
			u.report(c, "this pattern is kept as text and compiled at every call: keep it compiled")
		case from == isGiven:
			u.report(c, "the caller's pattern is compiled for one use: take a *regexp.Regexp, or keep those compiled")
		case from != isConstant:
		case matches:
			u.report(c, "regexp."+c.fn.Name()+c.says)
		default:
			u.constantPattern(cur, c)
		}
	}
}

// constantPattern reports a constant that is compiled, unless what it becomes is kept.
func (u *unit) constantPattern(cur inspector.Cursor, c site) {
	if _, again := loop(cur); !again && u.outlives(cur) {
		return
	}
	var fixes []analysis.SuggestedFix
	if c.fn.Name() == "MustCompile" && compilesWell(u, c.CallExpr) && !u.callsLongest(cur) {
		fixes = u.hoist(cur, "Pattern")
	}
	u.report(c, "this constant pattern is compiled at every call: compile it once, in a package variable", fixes...)
}

// isParameter reports whether a pattern is a parameter of the function.
func (u *unit) isParameter(cur inspector.Cursor, pattern ast.Expr) bool {
	f, ok := function(cur)
	return ok && u.takesAny(f, func(v *types.Var) bool { return u.IsUse(pattern, v) })
}

// inField reports whether a pattern is a field of something, or an element of a list that is: then it was known long
// before the call.
func (u *unit) inField(cur inspector.Cursor, pattern ast.Expr) bool {
	if sel, ok := ast.Unparen(pattern).(*ast.SelectorExpr); ok {
		return u.isField(sel)
	}
	id, ok := ast.Unparen(pattern).(*ast.Ident)
	if !ok {
		return false
	}
	for up := range cur.Enclosing((*ast.RangeStmt)(nil)) {
		r := up.Node().(*ast.RangeStmt)
		sel, ok := ast.Unparen(r.X).(*ast.SelectorExpr)
		if ok && u.isField(sel) && r.Value != nil && u.IsUse(r.Value, u.TypesInfo.ObjectOf(id)) {
			return true
		}
	}
	return false
}

func (u *unit) isField(sel *ast.SelectorExpr) bool {
	v, ok := u.TypesInfo.ObjectOf(sel.Sel).(*types.Var)
	return ok && v.IsField()
}

// onlyMatches reports whether the methods of an expression are all that a function uses of it, if only one.
func (u *unit) onlyMatches(cur inspector.Cursor) bool {
	return u.isOnly(cur, func(use inspector.Cursor) bool { return methodUsed(use) != "" })
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

var regexpAgain = check("regexpagain", findRegexpAgain, `report patterns that are made at run time and compiled for one use, where that costs

A pattern that a rule or a user gives is usually asked again: keep what it compiled to, by its text, up to a bound. To
compile ten characters takes more than twice as long as to replace with them in a short text (BenchmarkCost/regexp).

It counts only with heat. Reported are expressions of which a function only uses the methods. Not reported: what
regexpinfunc has, what is kept or returned, and what runs once.`)

func findRegexpAgain(u *unit) {
	for cur, c := range u.calls(compiling...) {
		if u.patternOf(cur, c) == elsewhere && (c.says != "" || u.onlyMatches(cur)) {
			u.report(c, "this pattern is compiled at every call: keep those compiled by their text, up to a bound")
		}
	}
}

var regexpHot = check("regexphot", findRegexpHot, `report regular expressions that are matched where the CPU goes

Package regexp follows all ways to match at once, some ten nanoseconds for each byte and more. strings.Contains, Cut or
a loop over the bytes takes a tenth, and a text that a match must have tells first whether there can be one.

It counts only with heat, from some percent on. Reported are the methods of a regexp.Regexp that match, find or replace.
Not reported: what runs once.`)

func findRegexpHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if fn == nil || !isMethod(fn, "regexp", "Regexp", fn.Name()) || u.runsOnce(cur) {
			continue
		}
		if slices.ContainsFunc([]string{"Match", "Find", "Replace", "Split"}, func(begin string) bool {
			return strings.HasPrefix(fn.Name(), begin)
		}) {
			u.report(call, "a pattern is matched at each pass: look first for a text that a match must have, or cut it by hand")
		}
	}
}
