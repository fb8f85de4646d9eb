package syntax

import (
	"go/ast"
	"go/constant"
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
