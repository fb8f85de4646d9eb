package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var appendGrows = check("appendgrows", findAppendGrows, `report slices that grow from nothing in a loop over something whose length is known

append doubles the slice each time it is full, and copies it: 1,000 numbers take 25 kB so, 8 kB with room for all, and
five times as long (BenchmarkCost/append).

It counts only with heat, by what growing costs where it is appended to, and not where the slice never grew. It goes
further than prealloc: the loop may leave elements out or be within another one, how often it turns need not be known, the
slice may be a named result, or a field where the loop's length is known, and pieces of bytes, or all of several other
slices, may be appended to it. Not reported: a slice that is set in another way, a field of what has a mutex, which may grow for ever, what
ranges over a channel, and an append that allocates its element on the same line, which is what a profile would show
there.`)

func findAppendGrows(u *unit) {
	seen := make(map[*types.Var]bool)
	for cur, s := range each[*ast.AssignStmt](u) {
		v, args := u.appended(s)
		l, again := loop(cur)
		if v == nil && again {
			u.fieldGrows(cur, l, s)
		}
		if v == nil || seen[v] || !again || within(l.Node(), v.Pos()) || u.runsOnce(cur) || u.isReceiving(l) ||
			slices.ContainsFunc(args, u.allocatesAny) || u.boxes(v, args) || !u.growsBy(cur, s, v) {
			continue
		}
		for outer, more := loop(l); more && !within(outer.Node(), v.Pos()); outer, more = loop(outer) {
			l = outer
		}
		if decl := u.beginsEmpty(l, v); decl != nil {
			seen[v] = true
			u.relate(decl, v.Name()+" grows from nothing: "+u.withRoom(cur, s), u.appends(cur, v)...)
		}
	}
}

// growsBy reports whether a statement that appends to a variable makes it grow step by step: an element each, pieces of
// bytes, or all of another slice where another statement surely appends as well. All of one slice alone is a copy of it,
// which has its room at once.
func (u *unit) growsBy(cur inspector.Cursor, s *ast.AssignStmt, v *types.Var) bool {
	call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !call.Ellipsis.IsValid() || isBytes(u.TypesInfo.TypeOf(call)) {
		return true
	}
	f, _ := function(cur)
	surely := 0
	for at, other := range below[*ast.AssignStmt](f) {
		if to, _ := u.appended(other); to == v && isUnconditional(at, f) {
			surely++
		}
	}
	return surely > 1 && isUnconditional(cur, f)
}

// isUnconditional reports whether a statement is only in blocks and loops of its function.
func isUnconditional(cur, f inspector.Cursor) bool {
	for up := cur.Parent(); up != f; up = up.Parent() {
		switch up.Node().(type) {
		case *ast.BlockStmt, *ast.RangeStmt, *ast.ForStmt:
		default:
			return false
		}
	}
	return true
}

// appends are where the function around a node appends to a variable.
func (u *unit) appends(cur inspector.Cursor, v *types.Var) (all []analysis.RelatedInformation) {
	f, _ := function(cur)
	for _, s := range below[*ast.AssignStmt](f) {
		if to, _ := u.appended(s); to == v {
			all = append(all, there(s, "is appended to here"))
		}
	}
	return all
}

// fieldGrows reports a field that a loop over something of known length appends to: x.f = append(x.f, e). Others may have
// given it room: then the profile has no growing.
func (u *unit) fieldGrows(cur, l inspector.Cursor, s *ast.AssignStmt) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || u.runsOnce(cur) {
		return
	}
	field, isField := ast.Unparen(s.Lhs[0]).(*ast.SelectorExpr)
	call, isCall := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	r, ranges := l.Node().(*ast.RangeStmt)
	if !isField || !isCall || !ranges || u.Builtin(call) != "append" || call.Ellipsis.IsValid() ||
		len(call.Args) != 2 || !u.Same(call.Args[0], field) || !u.hasLength(r.X) ||
		isGuarded(u.TypesInfo.TypeOf(field.X)) {
		return
	}
	of, _ := u.Root(field).(*types.Var)
	elem, isSlice := u.under(field).(*types.Slice)
	if of == nil || within(l.Node(), of.Pos()) || of.Parent() == u.Pkg.Scope() || !isSlice || u.allocatesAny(call.Args[1]) ||
		types.IsInterface(elem.Elem()) && !types.IsInterface(u.TypesInfo.TypeOf(call.Args[1])) {
		return
	}
	name := types.ExprString(field)
	u.relate(s, fmt.Sprintf("%s grows element by element: make room for them before the loop, slices.Grow(%s, len(%s))",
		name, name, types.ExprString(r.X)), there(s, "is appended to here"))
}

// withRoom says how a slice that a loop appends to gets its room.
func (u *unit) withRoom(cur inspector.Cursor, s *ast.AssignStmt) string {
	const unknown = "make it with room for what is usual, or append to "
	l, _ := loop(cur)
	r, ok := l.Node().(*ast.RangeStmt)
	_, within := loop(l)
	switch call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); {
	case call.Ellipsis.IsValid() && isBytes(u.TypesInfo.TypeOf(call)):
		return unknown + "a buffer that is used again"
	case call.Ellipsis.IsValid():
		return "add up how long its parts are first, and make it with that room"
	case !ok || within || !u.hasLength(r.X):
		return unknown + "one that is used again"
	}
	return fmt.Sprintf("make it with room for the elements of the loop, len(%s)", types.ExprString(r.X))
}

// isReceiving reports whether a loop ranges over a channel.
func (u *unit) isReceiving(l inspector.Cursor) bool {
	r, ok := l.Node().(*ast.RangeStmt)
	return ok && isChan(u.TypesInfo.TypeOf(r.X))
}

// boxes reports whether appending puts values into interfaces: that allocates, too.
func (u *unit) boxes(v *types.Var, args []ast.Expr) bool {
	s, ok := v.Type().Underlying().(*types.Slice)
	if !ok || !types.IsInterface(s.Elem()) {
		return false
	}
	return slices.ContainsFunc(args, func(e ast.Expr) bool {
		t := u.TypesInfo.TypeOf(e)
		if t != nil && types.Identical(t.Underlying(), s) {
			return false // all of another slice
		}
		return t != nil && !types.IsInterface(t) && !isPointer(t)
	})
}

// appended is the variable v in v = append(v, e, …) or v = append(v, e...), and what is appended.
func (u *unit) appended(s *ast.AssignStmt) (*types.Var, []ast.Expr) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
		return nil, nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	id, isName := s.Lhs[0].(*ast.Ident)
	if !ok || !isName || u.Builtin(call) != "append" || len(call.Args) < 2 {
		return nil, nil
	}
	v, ok := u.TypesInfo.Uses[id].(*types.Var)
	if !ok || !u.IsUse(call.Args[0], v) {
		return nil, nil
	}
	return v, call.Args[1:]
}

// beginsEmpty is where a slice is declared that has nothing in it when a loop begins and to which only appends add; nil
// for any other.
func (u *unit) beginsEmpty(l inspector.Cursor, v *types.Var) ast.Node {
	f, ok := function(l)
	if !ok || v.Kind() != types.LocalVar && v.Kind() != types.ResultVar || !within(f.Node(), v.Pos()) ||
		!u.All(f, v, func(use inspector.Cursor) bool {
			set, ok := use.Parent().Node().(*ast.AssignStmt)
			if !ok || use.ParentEdgeKind() != edge.AssignStmt_Lhs {
				return true
			}
			got, _ := u.appended(set)
			return got == v
		}) {
		return nil
	}
	return u.declaredEmpty(f, v)
}

// declaredEmpty is the declaration of a slice in a function, if that gives it no elements and no room.
func (u *unit) declaredEmpty(f inspector.Cursor, v *types.Var) ast.Node {
	for cur, id := range below[*ast.Ident](f) {
		if u.TypesInfo.Defs[id] != v {
			continue
		}
		at := cur.Parent().Node()
		if _, result := at.(*ast.Field); result {
			return id
		}
		if spec, ok := at.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			return at
		}
		if value, ok := u.Given(at, v); ok && u.isEmpty(value) {
			return at
		}
		break
	}
	return nil
}

// aFew is how many elements a slice may begin with and yet have to grow for what a loop appends: a header of bytes.
const aFew = 8

// isEmpty reports whether an expression is nil, []T{}, make([]T, 0), or has no more than a few elements.
func (u *unit) isEmpty(e ast.Expr) bool {
	if u.IsNil(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if len(e.Args) == 0 {
			return false
		}
		if n, small := constant.Int64Val(constant.ToInt(value(u, e.Args[len(e.Args)-1]))); u.Builtin(e) == "make" {
			return len(e.Args) == 2 && small && n <= aFew
		}
	}
	to, of := u.conversion(e)
	return to != nil && u.TypesInfo.Types[of].IsNil()
}

// allocatesAny reports whether an expression allocates by itself, as far as can be seen.
func (u *unit) allocatesAny(e ast.Expr) bool {
	return some(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr, *ast.FuncLit:
			_, literal := n.(*ast.FuncLit)
			return literal || isAddress(n)
		case *ast.BinaryExpr:
			return n.Op == token.ADD && u.isString(n) && !u.IsConstant(n)
		case *ast.CallExpr:
			to, _ := u.conversion(n)
			return to != nil && !u.IsConstant(n) || slices.Contains([]string{"make", "new", "append"}, u.Builtin(n))
		}
		return false
	})
}
