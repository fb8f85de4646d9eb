package syntax

import (
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"strings"
)

// NameOf is a function's name as profiles have it, without its package: "Open", "T.String", "(*T).Close". Type
// parameters are no part of it.
func NameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	typ, format := f.Recv.List[0].Type, "%s.%s"
	if star, ok := typ.(*ast.StarExpr); ok {
		typ, format = star.X, "(*%s).%s"
	}
	switch x := typ.(type) {
	case *ast.IndexExpr:
		typ = x.X
	case *ast.IndexListExpr:
		typ = x.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return fmt.Sprintf(format, name.Name, f.Name.Name)
	}
	return f.Name.Name
}

// Names reports whether a function of the evidence is a declared one, or a literal in it: "main.(*T).F.func1",
// "p.F[...]", "p.F-range1".
func Names(function, declared string) bool {
	if i := strings.IndexByte(function, '['); i >= 0 {
		if j := strings.LastIndexByte(function, ']'); j > i {
			function = function[:i] + function[j+1:]
		}
	}
	function = function[strings.LastIndexByte(function, '/')+1:]
	if declared == "init" && strings.Contains(function, ".init.") {
		return true
	}
	for part := range strings.SplitSeq(function, ".") {
		part, _, _ = strings.Cut(part, "-")
		if part == declared {
			return true
		}
	}
	return false
}

// Numbered is a name, with a number behind it from 2 on where it is taken without.
func Numbered(want string, taken func(string) bool) string {
	name := want
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s%d", want, n)
	}
	return name
}

// Before reports whether a file is written for a Go older than a release. One of unknown version is not.
func Before(info *types.Info, file *ast.File, release string) bool {
	v := info.FileVersions[file]
	return version.IsValid(v) && version.Compare(v, release) < 0
}
