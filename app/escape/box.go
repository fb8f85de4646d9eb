package escape

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// box notes a value where it becomes an interface: what it is put into has an interface type, and it has not.
func (w *walker) box(e ast.Expr) {
	f := w.file
	t := f.typeOf(e)
	if t == nil || len(w.stack) == 0 {
		return
	}
	tv := f.info.Types[e]
	if !tv.IsValue() || types.IsInterface(t) {
		return
	}
	into, takes, ok := w.target(e)
	if !ok || !types.IsInterface(into) {
		return
	}
	if _, ok := into.(*types.TypeParam); ok {
		return
	}
	a := w.add(Box, e, sizeOf(f.sizes, t), hasPointers(t))
	a.takes = takes
	a.zero = tv.Value != nil || tv.IsNil() || isPointerShaped(t) || a.size == 0 && !isGeneric(t, 0)
}

// isPointerShaped reports whether a value of a type fits into an interface as it is.
func isPointerShaped(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		return u.NumFields() == 1 && isPointerShaped(u.Field(0).Type())
	case *types.Array:
		return u.Len() == 1 && isPointerShaped(u.Elem())
	}
	return false
}

// target is the type of what an expression is put into, and the function of the call that takes it.
func (w *walker) target(e ast.Expr) (into types.Type, takes ast.Expr, ok bool) {
	f := w.file
	switch p := w.stack[len(w.stack)-1].(type) {
	case *ast.CallExpr:
		return w.argument(p, e)
	case *ast.ReturnStmt:
		return w.result(p, e)
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if r == e && len(p.Lhs) == len(p.Rhs) && p.Tok == token.ASSIGN {
				return f.typeOf(p.Lhs[i]), nil, f.typeOf(p.Lhs[i]) != nil
			}
		}
	case *ast.ValueSpec:
		if p.Type != nil && slices.Contains(p.Values, e) {
			return f.typeOf(p.Type), nil, f.typeOf(p.Type) != nil
		}
	case *ast.SendStmt:
		if c, ok := typeAs[*types.Chan](f.typeOf(p.Chan)); ok && p.Value == e {
			return c.Elem(), nil, true
		}
	case *ast.CompositeLit:
		return f.element(p, e, nil)
	case *ast.KeyValueExpr:
		if len(w.stack) > 1 {
			if lit, ok := w.stack[len(w.stack)-2].(*ast.CompositeLit); ok {
				return f.element(lit, e, p)
			}
		}
	case *ast.IndexExpr:
		if m, ok := typeAs[*types.Map](f.typeOf(p.X)); ok && p.Index == e {
			return m.Key(), nil, true
		}
	case *ast.BinaryExpr: // err == io.EOF, any == 1
		other := p.X
		if other == e {
			other = p.Y
		}
		if p.Op == token.EQL || p.Op == token.NEQ {
			return f.typeOf(other), nil, f.typeOf(other) != nil
		}
	}
	return nil, nil, false
}

// argument is the type of the parameter that an argument is for.
func (w *walker) argument(call *ast.CallExpr, e ast.Expr) (types.Type, ast.Expr, bool) {
	f := w.file
	if tv := f.info.Types[call.Fun]; tv.IsType() {
		return tv.Type, nil, len(call.Args) == 1 && call.Args[0] == e
	}
	i := slices.Index(call.Args, e)
	if i < 0 {
		return nil, nil, false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok {
			if s, isSlice := typeAs[*types.Slice](f.typeOf(call)); isSlice && b.Name() == "append" && i > 0 &&
				!call.Ellipsis.IsValid() {
				return s.Elem(), call.Fun, true
			}
			return nil, nil, false
		}
	}
	sig, ok := typeAs[*types.Signature](f.typeOf(call.Fun))
	if !ok {
		return nil, nil, false
	}
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
		s, ok := typeAs[*types.Slice](sig.Params().At(last).Type())
		if !ok {
			return nil, nil, false
		}
		return s.Elem(), call.Fun, true
	}
	if i > last {
		return nil, nil, false
	}
	return sig.Params().At(i).Type(), call.Fun, true
}

// result is the type of what a function returns.
func (w *walker) result(ret *ast.ReturnStmt, e ast.Expr) (types.Type, ast.Expr, bool) {
	i := slices.Index(ret.Results, e)
	for _, p := range slices.Backward(w.stack) {
		var sig *types.Signature
		switch p := p.(type) {
		case *ast.FuncLit:
			sig, _ = typeAs[*types.Signature](w.file.typeOf(p))
		case *ast.FuncDecl:
			if o := w.file.info.Defs[p.Name]; o != nil {
				sig, _ = typeAs[*types.Signature](o.Type())
			}
		default:
			continue
		}
		if sig == nil || i < 0 || sig.Results().Len() != len(ret.Results) {
			return nil, nil, false
		}
		return sig.Results().At(i).Type(), nil, true
	}
	return nil, nil, false
}

// element is the type of an element of a literal.
func (f *sourceFile) element(lit *ast.CompositeLit, e ast.Expr, kv *ast.KeyValueExpr) (types.Type, ast.Expr, bool) {
	t := f.typeOf(lit)
	if t == nil {
		return nil, nil, false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem(), nil, kv == nil || kv.Value == e
	case *types.Array:
		return u.Elem(), nil, kv == nil || kv.Value == e
	case *types.Map:
		if kv != nil && kv.Key == e {
			return u.Key(), nil, true
		}
		return u.Elem(), nil, kv != nil
	case *types.Struct:
		if kv != nil {
			if id, ok := kv.Key.(*ast.Ident); ok && kv.Value == e {
				if o, ok := f.info.Uses[id].(*types.Var); ok {
					return o.Type(), nil, true
				}
			}
			return nil, nil, false
		}
		if i := slices.Index(lit.Elts, e); i >= 0 && i < u.NumFields() {
			return u.Field(i).Type(), nil, true
		}
	}
	return nil, nil, false
}
