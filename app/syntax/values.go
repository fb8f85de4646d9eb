package syntax

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// Object is the variable, field or parameter that an expression names: x, s.x, (*s).x; nil for others.
func Object(info *types.Info, e ast.Expr) types.Object {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return Origin(info.ObjectOf(x))
	case *ast.SelectorExpr:
		return Origin(info.ObjectOf(x.Sel))
	case *ast.StarExpr:
		return Object(info, x.X)
	}
	return nil
}

// Origin is the field of a generic type that an instance's field is of.
func Origin(o types.Object) types.Object {
	if v, ok := o.(*types.Var); ok && v != nil {
		return v.Origin()
	}
	return o
}

// Values are the expressions that a variable or field is given anywhere in some files.
func Values(info *types.Info, files []*ast.File, obj types.Object) (out []ast.Expr) {
	if obj == nil {
		return nil
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if Object(info, lhs) == obj && (len(n.Rhs) == len(n.Lhs) || len(n.Rhs) == 1) {
						out = append(out, n.Rhs[min(i, len(n.Rhs)-1)])
					}
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if info.Defs[name] == obj && i < len(n.Values) {
						out = append(out, n.Values[i])
					}
				}
			case *ast.CompositeLit:
				out = append(out, fieldValue(info, n, obj)...)
			}
			return true
		})
	}
	return out
}

// fieldValue is what a literal gives a field.
func fieldValue(info *types.Info, lit *ast.CompositeLit, field types.Object) []ast.Expr {
	v, ok := field.(*types.Var)
	if !ok || !v.IsField() {
		return nil
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && Origin(info.ObjectOf(id)) == field {
				return []ast.Expr{kv.Value}
			}
			continue
		}
		t := info.TypeOf(lit)
		if t == nil {
			continue
		}
		if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() && Origin(s.Field(i)) == field {
			return []ast.Expr{e}
		}
	}
	return nil
}

// IsZero reports whether an expression is a zero value as one writes it: nil, 0, "", T{}, *new(T).
func IsZero(info *types.Info, e ast.Expr) bool {
	if e == nil {
		return false
	}
	if v := info.Types[e].Value; v != nil {
		return v.Kind() == constant.Int && constant.Sign(v) == 0 || v.Kind() == constant.String && constant.StringVal(v) == ""
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.StarExpr:
		call, ok := ast.Unparen(x.X).(*ast.CallExpr)
		return ok && Builtin(info, call) == "new"
	}
	return info.Types[e].IsNil()
}
