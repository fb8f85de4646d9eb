package checks

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// hoist makes an expression the value of a package variable above the function that it is in. It does so only when
// everything that the expression mentions exists there, too.
func (u *unit) hoist(cur inspector.Cursor, noun string) []analysis.SuggestedFix {
	decl := declaration(cur)
	e := cur.Node().(ast.Expr)
	if decl == nil || u.mentionsLocals(cur) {
		return nil
	}
	source := u.source(e)
	if source == "" {
		return nil
	}
	name := u.freshName(cur, syntax.Lower(decl.Name.Name)+noun)
	at := decl.Pos()
	if decl.Doc != nil {
		at = decl.Doc.Pos()
	}
	return []analysis.SuggestedFix{{
		Message: fmt.Sprintf("Make it once, in the package variable %s", name),
		TextEdits: []analysis.TextEdit{
			{Pos: at, End: at, NewText: []byte("var " + name + " = " + source + "\n\n")},
			{Pos: e.Pos(), End: e.End(), NewText: []byte(name)},
		},
	}}
}

// mentionsLocals reports whether a node mentions what only its function has.
func (u *unit) mentionsLocals(cur inspector.Cursor) bool {
	return syntax.MentionsLocals(u.TypesInfo, u.Pkg, cur)
}

// source is the text of a node, or "" if the file cannot be read.
func (u *unit) source(n ast.Node) string {
	file := u.Fset.File(n.Pos())
	text, err := u.ReadFile(file.Name())
	from, to := file.Offset(n.Pos()), file.Offset(n.End())
	if err != nil || to > len(text) {
		return ""
	}
	return string(text[from:to])
}

// freshName is a name that is free in the package and where it will be used.
func (u *unit) freshName(cur inspector.Cursor, want string) string {
	for n := 1; ; n++ {
		name := want
		if n > 1 {
			name = fmt.Sprintf("%s%d", want, n)
		}
		if !u.names[name] && !u.taken(cur, name) {
			u.names[name] = true
			return name
		}
	}
}

// taken reports whether a name means something at a node, or in the package or a file of it.
func (u *unit) taken(cur inspector.Cursor, name string) bool {
	if types.Universe.Lookup(name) != nil || u.Pkg.Scope().Lookup(name) != nil {
		return true
	}
	for _, f := range u.Files {
		if s := u.TypesInfo.Scopes[f]; s != nil && s.Lookup(name) != nil {
			return true
		}
	}
	inner := u.Pkg.Scope().Innermost(cur.Node().Pos())
	if inner == nil {
		return true
	}
	_, obj := inner.LookupParent(name, cur.Node().Pos())
	return obj != nil
}
