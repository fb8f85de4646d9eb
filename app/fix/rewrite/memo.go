package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
)

// A remembered is a function whose result depends on a string alone, and may be shared.
type remembered struct {
	path, name string
	result     string // its type, in the words of the package
	fails      bool   // it has an error, too
	helper     string // what calls it from then on
	kept, n    string // variables
	what       string
}

func rememberedFunctions() []remembered {
	return []remembered{
		{"regexp", "MustCompile", "*regexp.Regexp", false, "compilePattern", "compiledPatterns", "compiledCount",
			"expressions"},
		{"regexp", "Compile", "*regexp.Regexp", true, "compileChecked", "checkedPatterns", "checkedCount", "expressions"},
		{"time", "LoadLocation", "*time.Location", true, "loadZone", "loadedZones", "loadedCount", "zones"},
	}
}

// memo keeps what a pattern that is known at run time only compiles to.
func memo(u *Unit) (out changes) {
	for _, m := range rememberedFunctions() {
		type call struct {
			*ast.CallExpr
			in *ast.FuncDecl
		}
		var calls []call
		for cur, c := range each[*ast.CallExpr](u) {
			if d := declaration(cur); isFunc(u.Callee(c), m.path, m.name) && d != nil && !u.IsConstant(c.Args[0]) &&
				d.Name.Name != "init" && d.Name.Name != "main" && d.Name.Name != m.helper {
				calls = append(calls, call{c, d})
			}
		}
		for _, c := range calls {
			if reason := u.notShared(m); reason != "" {
				out.add(u.refuse(c.CallExpr, reason))
				continue
			}
			ch := u.change(c.CallExpr, "keep up to 1,000 "+m.what)
			name, ok := u.helper(ch, m, c.CallExpr)
			if !ok {
				continue
			}
			ch.replace(c.Fun.Pos(), c.Fun.End(), name)
			out.add(ch)
		}
	}
	return out
}

// notShared says why a result cannot be shared.
func (u *Unit) notShared(m remembered) string {
	if m.path != "regexp" {
		return ""
	}
	for _, sel := range each[*ast.SelectorExpr](u) {
		if fn, ok := u.Info.Uses[sel.Sel].(*types.Func); ok && isMethod(fn, "regexp", "Regexp", "Longest") {
			return "the package calls Longest, which changes an expression for all who share it"
		}
	}
	return ""
}

// helper adds the function that remembers at the end of the file. All calls of a file share one.
func (u *Unit) helper(c *Change, m remembered, at ast.Node) (name string, ok bool) {
	f := u.file(at.Pos())
	pkg, syncPkg, atomic := u.pkg(at, m.path), u.pkg(at, "sync"), u.pkg(at, "sync/atomic")
	if pkg == "" || syncPkg == "" || atomic == "" || u.Pkg.Scope().Lookup(m.helper) != nil ||
		u.Pkg.Scope().Lookup(m.kept) != nil || u.Pkg.Scope().Lookup(m.n) != nil {
		return "", false
	}
	result := strings.Replace(m.result, m.path+".", pkg+".", 1)
	answer, fine, and, made := result, "", "", "made"
	if m.fails {
		answer, fine, and, made = "("+result+", error)", ", nil", "err == nil && ", "made, err"
	}
	c.insert(f.FileEnd, strings.NewReplacer("HELPER", m.helper, "KEPT", m.kept, "COUNT", m.n, "FUNC", pkg+"."+m.name,
		"RESULT", result, "ANSWER", answer, "FINE", fine, "AND ", and, "MADE", made, "WHAT", m.what, "SYNC", syncPkg,
		"ATOMIC", atomic).Replace(memoText))
	c.needs(at, "sync", "sync/atomic")
	return m.helper, true
}

// memoText is the function. AND, ANSWER, FINE and MADE have its error, if there is one.
const memoText = `
// HELPER is FUNC that keeps the first 1,000 WHAT.
func HELPER(text string) ANSWER {
	if known, ok := KEPT.Load(text); ok {
		return known.(RESULT)FINE
	}
	MADE := FUNC(text)
	if AND COUNT.Add(1) <= 1000 {
		KEPT.Store(text, made)
	}
	return MADE
}

var (
	KEPT SYNC.Map // of RESULT, by their text
	COUNT ATOMIC.Int64
)
`
