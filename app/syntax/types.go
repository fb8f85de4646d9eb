package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// IsFunc reports whether fn is one of these functions of a package.
func IsFunc(fn *types.Func, path string, names ...string) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == path && fn.Signature().Recv() == nil &&
		slices.Contains(names, fn.Name())
}

// IsMethod reports whether fn is one of these methods of a type.
func IsMethod(fn *types.Func, path, typ string, names ...string) bool {
	return fn != nil && fn.Signature().Recv() != nil && slices.Contains(names, fn.Name()) &&
		IsNamed(fn.Signature().Recv().Type(), path, typ)
}

// IsNamed reports whether a type, or what it points to, is the named type of a package.
func IsNamed(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(Deref(t)).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// IsError reports whether a type is error itself.
func IsError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// Deref is what a type points to, or the type itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Elem is the type of the elements of a slice or an array, or of one that a type points to; nil for others.
func Elem(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch t := Deref(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

// Refers reports whether a value of a type refers to something else, which it keeps in memory.
func Refers(t types.Type) bool {
	switch x := t.Underlying().(type) {
	case *types.Basic:
		return x.Kind() == types.String || x.Kind() == types.UnsafePointer
	case *types.Array:
		return Refers(x.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(x.Fields()), func(f *types.Var) bool { return Refers(f.Type()) })
	}
	return true
}

// Zero is the zero value of a type that refers to something, as one writes it.
func Zero(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "*new(" + t.String() + ")"
	}
	switch t.Underlying().(type) {
	case *types.Basic:
		return `""`
	case *types.Struct, *types.Array:
		return types.TypeString(t, (*types.Package).Name) + "{}"
	}
	return "nil"
}

// Text is the value of a constant string.
func Text(info *types.Info, e ast.Expr) (string, bool) {
	v := info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// Lower makes a name unexported: ParseURL is parseURL, URLOf is urlOf.
func Lower(name string) string {
	r := []rune(name)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && !unicode.IsUpper(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return strings.TrimLeft(string(r), "_")
}

// Same reports whether two expressions name the same variable or field of it: x, x.y.z.
func Same(info *types.Info, a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	switch a := a.(type) {
	case *ast.Ident:
		b, ok := b.(*ast.Ident)
		return ok && info.ObjectOf(a) != nil && info.ObjectOf(a) == info.ObjectOf(b)
	case *ast.SelectorExpr:
		b, ok := b.(*ast.SelectorExpr)
		return ok && a.Sel.Name == b.Sel.Name && Same(info, a.X, b.X)
	}
	return false
}

// Compares reports whether a condition compares: an operator, or a call that answers by what it is given. An error
// that is not nil compares nothing.
func Compares(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return Compares(e.X) || Compares(e.Y)
		}
		id, isNil := ast.Unparen(e.Y).(*ast.Ident)
		return !(isNil && id.Name == "nil") && slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.GTR,
			token.LEQ, token.GEQ}, e.Op)
	case *ast.CallExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.NOT && Compares(e.X)
	}
	return false
}

// Collection reports whether a type has elements: a slice, an array, a map, a text, or a type parameter.
func Collection(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Interface: // a type parameter
		return true
	}
	return false
}

// BodyOf is the block of a function; nil of other nodes.
func BodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// Unpack is an expression without parentheses and type arguments.
func Unpack(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return Unpack(x.X)
	case *ast.IndexListExpr:
		return Unpack(x.X)
	}
	return ast.Unparen(e)
}

// Clone is the function that copies a slice expression's value.
func Clone(t types.Type) string {
	if t == nil {
		return "slices.Clone"
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return "strings.Clone"
	case *types.Slice:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return "bytes.Clone"
		}
	}
	return "slices.Clone"
}
