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
func memo(u *Unit) (out []Change) {
	for _, m := range rememberedFunctions() {
		type call struct {
			*ast.CallExpr
			in *ast.FuncDecl
		}
		var calls []call
		for cur, c := range each[*ast.CallExpr](u) {
			if d := declaration(cur); isFunc(u.callee(c), m.path, m.name) && d != nil && !u.isConstant(c.Args[0]) &&
				d.Name.Name != "init" && d.Name.Name != "main" && d.Name.Name != m.helper {
				calls = append(calls, call{c, d})
			}
		}
		for _, c := range calls {
			if reason := u.notShared(m); reason != "" {
				out = append(out, u.refuse(c.CallExpr, reason))
				continue
			}
			ch := u.change(c.CallExpr, "keep up to 1,000 "+m.what)
			name, ok := u.helper(ch, m, c.CallExpr)
			if !ok {
				continue
			}
			ch.replace(c.Fun.Pos(), c.Fun.End(), name)
			out = append(out, *ch)
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
	text := memoPlain
	if m.fails {
		text = memoFails
	}
	text = strings.NewReplacer("HELPER", m.helper, "KEPT", m.kept, "COUNT", m.n, "FUNC", pkg+"."+m.name,
		"RESULT", strings.Replace(m.result, m.path+".", pkg+".", 1), "WHAT", m.what, "SYNC", syncPkg,
		"ATOMIC", atomic).Replace(text)
	c.insert(f.FileEnd, text)
	c.needs(at, "sync", "sync/atomic")
	return m.helper, true
}

const memoPlain = `
// HELPER is FUNC that keeps the first 1,000 WHAT.
func HELPER(text string) RESULT {
	if known, ok := KEPT.Load(text); ok {
		return known.(RESULT)
	}
	made := FUNC(text)
	if COUNT.Add(1) <= 1000 {
		KEPT.Store(text, made)
	}
	return made
}

var (
	KEPT SYNC.Map // of RESULT, by their text
	COUNT ATOMIC.Int64
)
`

const memoFails = `
// HELPER is FUNC that keeps the first 1,000 WHAT.
func HELPER(text string) (RESULT, error) {
	if known, ok := KEPT.Load(text); ok {
		return known.(RESULT), nil
	}
	made, err := FUNC(text)
	if err == nil && COUNT.Add(1) <= 1000 {
		KEPT.Store(text, made)
	}
	return made, err
}

var (
	KEPT SYNC.Map // of RESULT, by their text
	COUNT ATOMIC.Int64
)
`
