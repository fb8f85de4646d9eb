package checks

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

// A room is what is known of a channel's buffer.
type room int

const (
	unknown    room = iota
	unbuffered      // every make of it is without a buffer
	buffered        // some make of it has a buffer, or may have
)

// rooms finds the buffers of the package's channels, by the variable or field that each make is assigned to.
func (u *unit) rooms() map[types.Object]room {
	all := make(map[types.Object]room)
	for cur, call := range each[*ast.CallExpr](u) {
		if u.builtin(call) != "make" || !isChan(u.TypesInfo.TypeOf(call)) {
			continue
		}
		var obj types.Object
		switch p := cur.Parent().Node().(type) {
		case *ast.AssignStmt:
			if len(p.Lhs) == len(p.Rhs) {
				obj = u.named(p.Lhs[cur.ParentEdgeIndex()])
			}
		case *ast.ValueSpec:
			if cur.ParentEdgeKind() == edge.ValueSpec_Values {
				obj = u.TypesInfo.Defs[p.Names[cur.ParentEdgeIndex()]]
			}
		case *ast.KeyValueExpr:
			obj = u.named(p.Key)
		}
		if obj == nil {
			continue
		}
		if u.isUnbuffered(call) {
			all[obj] = max(all[obj], unbuffered)
		} else {
			all[obj] = buffered
		}
	}
	return all
}

func (u *unit) isUnbuffered(make *ast.CallExpr) bool {
	if len(make.Args) == 1 {
		return true
	}
	v := u.TypesInfo.Types[make.Args[1]].Value
	return v != nil && constant.Sign(v) == 0
}

// named is the variable or the field that x or y.x stands for.
func (u *unit) named(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return origin(u.TypesInfo.ObjectOf(e))
	case *ast.SelectorExpr:
		return origin(u.TypesInfo.ObjectOf(e.Sel))
	}
	return nil
}

// origin is the field of the generic type that a field of an instance stands for.
func origin(obj types.Object) types.Object {
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return obj
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}
