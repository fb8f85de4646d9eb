package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var sortKept = check("sortkept", findSortKept, `report what is kept in a field or a package variable, and sorted anew at each call

To sort a thousand texts takes some hundred microseconds. What changes less often than it is listed can be kept in its
order: inserted where slices.BinarySearch says, or sorted at the first call after a change.

It counts only with heat, by what sorting takes. Reported are calls of sort and slices on a field, and on a slice that a
function fills with all the keys or the elements of one. Not reported: what is chosen by a condition first; functions
that are named after a change, which has to sort; and what runs once.`)

// changers are first words of functions that change what is kept.
var changers = []string{"add", "insert", "append", "set", "put", "register", "update", "delete", "remove", "load", "reload",
	"new", "sort", "resort", "rebuild", "build", "compact", "merge", "refresh"}

var sorters = []callee{{"sort", "", "Slice SliceStable Strings Ints Sort Stable", ""},
	{"slices", "", "Sort SortFunc SortStableFunc", ""}, {"slices", "", "Sorted SortedFunc", "of the keys"}}

func findSortKept(u *unit) {
	for cur, c := range u.calls(sorters...) {
		f, ok := function(cur)
		if !ok || u.isChanger(cur) {
			continue
		}
		all := u.keysOf(c.Args[0])
		if c.says == "" {
			all = u.allOf(c.Args[0], cur, f)
		}
		if all != nil {
			u.report(c, types.ExprString(all)+" is sorted anew at each call: keep it in its order, or sort it at the "+
				"first call after a change and keep that")
		}
	}
}

// isChanger reports whether the function around a node is named after a change.
func (u *unit) isChanger(cur inspector.Cursor) bool {
	d := declaration(cur)
	return d == nil || slices.Contains(changers, firstWord(d.Name.Name))
}

// allOf is what is kept and sorted: the expression itself, or what a function puts all of into a slice of its own.
func (u *unit) allOf(e ast.Expr, cur, f inspector.Cursor) ast.Expr {
	if to, of := u.conversion(e); to != nil { // byName(s.users)
		e = of
	}
	if u.isStored(e) {
		return e
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	v, isVar := u.TypesInfo.Uses[id].(*types.Var)
	if !ok || !isVar || v.Kind() != types.LocalVar && v.Kind() != types.ResultVar {
		return nil
	}
	var all ast.Expr
	for at, s := range below[*ast.AssignStmt](f) {
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !u.IsUse(s.Lhs[0], v) || s.Pos() > cur.Node().Pos() {
			continue
		}
		from, empty := u.gets(s, at, v)
		if !empty && (from == nil || all != nil) {
			return nil
		}
		if from != nil {
			all = from
		}
	}
	return all
}

// gets is what is kept that a statement puts all of into a variable; empty where the statement only makes the variable.
func (u *unit) gets(s *ast.AssignStmt, at inspector.Cursor, v *types.Var) (from ast.Expr, empty bool) {
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	switch {
	case !ok:
		lit, isLit := ast.Unparen(s.Rhs[0]).(*ast.CompositeLit)
		return nil, isLit && len(lit.Elts) == 0
	case u.Builtin(call) == "make":
		return nil, true
	case isFunc(u.Callee(call), "slices", "Collect"):
		return u.keysOf(call.Args[0]), false
	case isFunc(u.Callee(call), "slices", "Clone") && u.isStored(call.Args[0]):
		return call.Args[0], false
	case u.Builtin(call) != "append" || len(call.Args) != 2 || s.Tok != token.ASSIGN || !u.IsUse(call.Args[0], v):
		return nil, false
	}
	if at.ParentEdgeKind() != edge.BlockStmt_List || at.Parent().ParentEdgeKind() != edge.RangeStmt_Body {
		return nil, false // by a condition
	}
	r := at.Parent().Parent().Node().(*ast.RangeStmt)
	if syntax.Leaves(r.Body) || !u.isStored(r.X) {
		return nil, false
	}
	return r.X, false
}

// keysOf is what is kept of which maps.Keys or maps.Values are taken; nil for anything else.
func (u *unit) keysOf(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !isFunc(u.Callee(call), "maps", "Keys", "Values") || !u.isKeptField(call.Args[0]) {
		return nil
	}
	return call.Args[0]
}

// isStored reports whether an expression is a slice or a map that is kept.
func (u *unit) isStored(e ast.Expr) bool { return u.isCollection(e) && u.isKeptField(e) }

// isKeptField reports whether an expression is a package variable, or a field of something with a mutex.
func (u *unit) isKeptField(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return u.ofPackage(e)
	case *ast.SelectorExpr:
		s := u.TypesInfo.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && isGuarded(u.TypesInfo.TypeOf(e.X))
	}
	return false
}

// ofPackage reports whether a name is a variable of the package.
func (u *unit) ofPackage(id *ast.Ident) bool {
	obj := u.TypesInfo.ObjectOf(id)
	return obj != nil && obj.Parent() == u.Pkg.Scope()
}

var sortSlice = check("sortslice", findSortSlice, `report sort.Slice, sort.Sort and their like where sorting costs

They compare and swap through an interface or by reflection: the fastest of ten runs with 1,000 structs of 48 bytes
took 559 µs, and 248 µs with slices.SortFunc, which the compiler makes for the type (BenchmarkCostAgain/sort, on a
busy machine, where others saw no difference).

It counts only with heat, by what sort and reflection take by themselves, and not the comparing function. Not
reported: heaps and other interfaces that are not for sorting, slices that are sorted in reverse by sort.Reverse, code
for Go before 1.21, and what runs once.`)

var sorting = []callee{
	{"sort", "", "Slice", "it swaps by reflection: slices.SortFunc is made for the type"},
	{"sort", "", "SliceStable", "it swaps by reflection: slices.SortStableFunc is made for the type"},
	{"sort", "", "Sort Stable", "it compares and swaps through an interface: slices.SortFunc is made for the type"},
}

func findSortSlice(u *unit) {
	for cur, c := range u.calls(sorting...) {
		_, slice := u.under(c.Args[0]).(*types.Slice) // of a type of its own, where it is no reflection
		if !u.before(cur, "go1.21") && (slice || strings.HasPrefix(c.fn.Name(), "Slice")) {
			u.report(c, c.says)
		}
	}
}
