package syntax

import (
	"fmt"
	"go/ast"
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
