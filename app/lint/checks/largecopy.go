package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var largeCopy = check("largecopy", findLargeCopy, `report loops of which each turn copies a large value, and arrays that range copies before the first turn

An element of 96 bytes takes 1.3 ns by value and 0.5 ns by index, one of 2 kB 22 ns and 2 ns; range over an array of
1,024 elements takes twice as long as range over its address (docs/evidence/lab.md, "Range over a slice" and "Range over
an array"). Use the index, or the element's address.

It counts only with heat. Reported are values of more than 64 bytes, which is a line of the caches: the variable of a
range over a slice or an array, x := s[i] and x := *p in a loop, methods with a value receiver that a loop calls, and
arguments of a loop's calls of functions of the same package (go-critic's hugeParam, where it is paid for). A variable on which a method with a pointer receiver is called is a copy that the method changes, and for which each turn
may allocate.

Not reported: what the loop changes, stores, sends, returns or captures, because then it needs the copy; maps, whose
elements have no address; loops over literals; and what runs once.`)

const (
	largeValue = 64  // bytes, a line of the caches of amd64 and most of arm64
	largeArray = 512 // bytes; go-critic's rangeExprCopy has the same
)

func findLargeCopy(u *unit) {
	for cur, l := range each[*ast.RangeStmt](u) {
		if v := u.declares(l.Value); v != nil && !u.shortLoop(cur) && !u.runsOnce(cur) {
			u.rangeCopies(cur, l, v)
		}
	}
	for cur, s := range each[*ast.AssignStmt](u) {
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 && s.Tok == token.DEFINE {
			u.turnCopies(cur, s)
		}
	}
	for cur, call := range each[*ast.CallExpr](u) {
		u.receiverCopied(cur, call)
		u.argumentsCopied(cur, call)
	}
}

// declares is the variable that an identifier declares, or nil: the blank one, or one that is there already.
func (u *unit) declares(e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := u.TypesInfo.Defs[id].(*types.Var)
	return v
}

func (u *unit) rangeCopies(cur inspector.Cursor, l *ast.RangeStmt, v *types.Var) {
	root := u.Root(l.X)
	if root != nil && u.writes(cur.ChildAt(edge.RangeStmt_Body, -1), root) {
		return // the element may be another one then
	}
	switch t := u.under(l.X).(type) {
	case *types.Array:
		if size := u.size(t); size >= largeArray && root != nil && u.TypesInfo.Types[l.X].Addressable() {
			u.report(l.X, fmt.Sprintf("range copies the array's %d bytes first: range over its address", size))
			return
		}
	case *types.Slice, *types.Pointer:
	default:
		return
	}
	size := u.size(v.Type())
	switch use := u.useOf(cur, v); {
	case size <= largeValue || use.needsCopy():
	case use.pointer:
		u.report(l.Value, fmt.Sprintf("a method with a pointer receiver works on a copy of %d bytes, which each turn "+
			"makes: range over the index and call it on the element", size))
	default:
		u.report(l.Value, fmt.Sprintf("each turn copies %d bytes: range over the index, and use the element or its "+
			"address", size))
	}
}

// turnCopies reports x := s[i] and x := *p in a loop.
func (u *unit) turnCopies(cur inspector.Cursor, s *ast.AssignStmt) {
	v := u.declares(s.Lhs[0])
	if v == nil || u.size(v.Type()) <= largeValue {
		return
	}
	switch e := ast.Unparen(s.Rhs[0]).(type) {
	case *ast.IndexExpr:
		switch u.under(e.X).(type) {
		case *types.Slice, *types.Array, *types.Pointer:
		default:
			return
		}
	case *ast.StarExpr:
	default:
		return
	}
	l, again := loop(cur)
	if !again || u.leavesAfter(cur, l) || u.runsOnce(cur) {
		return
	}
	root := u.Root(s.Rhs[0])
	if use := u.useOf(l, v); root != nil && !use.needsCopy() && !use.pointer && !u.writes(l, root) {
		u.report(s.Rhs[0], fmt.Sprintf("each turn copies %d bytes: take the address", u.size(v.Type())))
	}
}

// receiverCopied reports calls in a loop of a method of the package whose receiver is a large value.
func (u *unit) receiverCopied(cur inspector.Cursor, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := u.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() != u.Pkg {
		return // of another package: it may not be ours to change
	}
	recv := s.Obj().(*types.Func).Signature().Recv().Type()
	size := u.size(recv) // of a pointer, or an interface, it is a word or two
	if _, again := loop(cur); size > largeValue && again && !u.runsOnce(cur) {
		u.report(call, fmt.Sprintf("each turn copies the %d bytes of %s's receiver: make it a pointer", size,
			s.Obj().Name()))
	}
}

// argumentsCopied reports large arguments of calls in a loop. A literal is made for the call anyway.
func (u *unit) argumentsCopied(cur inspector.Cursor, call *ast.CallExpr) {
	fn := u.Callee(call)
	if fn == nil || fn.Pkg() != u.Pkg || fn.Signature().Variadic() {
		return
	}
	if _, again := loop(cur); !again || u.cold(cur) || u.runsOnce(cur) {
		return
	}
	for i, arg := range call.Args {
		params := fn.Signature().Params()
		if i >= params.Len() || u.Root(arg) == nil {
			continue
		}
		t := params.At(i).Type()
		if size := u.size(t); size > largeValue && !types.IsInterface(t) {
			u.report(arg, fmt.Sprintf("each turn copies %d bytes to call %s: make the parameter a pointer", size, fn.Name()))
		}
	}
}

// A use is for what a variable is used, beside reading its fields and elements, and passing it to calls.
type use struct {
	pointer bool // a method with a pointer receiver is called
	whole   bool // the value goes elsewhere
	changed bool // the variable changes, or somebody gets its address
}

func (c *use) needsCopy() bool { return c.whole || c.changed }

// useOf looks at what a node does with a variable.
func (u *unit) useOf(in inspector.Cursor, v *types.Var) (c use) {
	home, _ := function(in)
	for _, cur := range u.Uses(in, v) {
		f, _ := function(cur)
		at, kind := u.part(cur)
		switch {
		case f != home:
			c.whole = true // captured
		case kind == ofPointerMethod:
			c.pointer = true
		case kind == ofValueMethod, kind == ofPointee:
		case isWritten(at):
			c.changed = true
		case kind != ofField:
			call, ok := at.Parent().Node().(*ast.CallExpr)
			c.whole = c.whole || !ok || !u.takes(call, at)
		}
	}
	return c
}

// takes reports whether a call gets an argument as it is: not by append, a conversion or in an interface.
func (u *unit) takes(call *ast.CallExpr, arg inspector.Cursor) bool {
	fn := u.Callee(call)
	if fn == nil || call.Fun == arg.Node() {
		return false
	}
	i, params := arg.ParentEdgeIndex(), fn.Signature().Params()
	return i >= 0 && i < params.Len() && !(fn.Signature().Variadic() && i >= params.Len()-1) &&
		!types.IsInterface(params.At(i).Type())
}

// What of a variable an expression is.
type partOf int

const (
	ofAll partOf = iota
	ofField
	ofPointee // what a pointer, a slice or a map in it refers to
	ofValueMethod
	ofPointerMethod
)

// part climbs from a variable to the field or the element of it that is meant.
func (u *unit) part(cur inspector.Cursor) (inspector.Cursor, partOf) {
	kind := ofAll
	for {
		switch p := cur.Parent().Node().(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			s := u.TypesInfo.Selections[p]
			if s == nil || p.X != cur.Node() {
				return cur, kind
			}
			if s.Kind() != types.FieldVal {
				return cur, u.methodOf(s)
			}
			kind = ofField
			if s.Indirect() {
				return cur.Parent(), ofPointee
			}
		case *ast.IndexExpr:
			if p.X != cur.Node() {
				return cur, kind
			}
			kind = ofField
			if _, array := u.under(p.X).(*types.Array); !array {
				return cur.Parent(), ofPointee
			}
		default:
			return cur, kind
		}
		cur = cur.Parent()
	}
}

func (u *unit) methodOf(s *types.Selection) partOf {
	fn, ok := s.Obj().(*types.Func)
	switch {
	case !ok:
		return ofAll
	case !isPointer(fn.Signature().Recv().Type()):
		return ofValueMethod
	case isPointer(s.Recv().Underlying()):
		return ofPointee // the variable is a pointer already
	}
	return ofPointerMethod
}

// isWritten reports whether an expression is assigned, counted, its address is taken, or, of an array, a slice of it.
func isWritten(cur inspector.Cursor) bool {
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	return syntax.IsChanged(cur) || cur.ParentEdgeKind() == edge.SliceExpr_X
}

// writes reports whether a node changes what a variable begins: the variable, a field or an element of it, also
// through a pointer or a slice.
func (u *unit) writes(in inspector.Cursor, obj types.Object) bool {
	return !u.All(in, obj, func(use inspector.Cursor) bool { return !syntax.IsChanged(pathFrom(use)) })
}

// pathFrom climbs from a variable to the whole x.y[i] that begins with it.
func pathFrom(use inspector.Cursor) inspector.Cursor {
	for {
		switch use.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.StarExpr_X, edge.ParenExpr_X:
			use = use.Parent()
		default:
			return use
		}
	}
}

// size is how many bytes a value has; 0 where that depends on a type parameter.
func (u *unit) size(t types.Type) int64 {
	if t == nil || isGeneric(t) {
		return 0
	}
	return u.TypesSizes.Sizeof(t)
}

func isGeneric(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Array:
		return isGeneric(t.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return isGeneric(f.Type()) })
	case *types.Named:
		return isGeneric(t.Underlying())
	}
	return false
}
