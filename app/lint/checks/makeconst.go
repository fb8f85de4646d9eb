package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

var makeConst = check("makeconst", findMakeConst, `report large slices and maps of a constant size that a function makes at every call

A make clears what it allocates and brings the next collection nearer: 64 kB cost 31 µs, 1 kB costs 0.6 µs
(BenchmarkCost/make), however little of it is used. Size it by the data, or keep it in a sync.Pool.

It counts only with heat: whether the size fits its use is not in the source. Reported are slices of 16 kB and maps of
1,024 entries or more. Not reported: what outlives the call in a field or by return, what a sync.Pool makes, and what
runs once.`)

const (
	largeSlice = 16 << 10 // bytes
	largeMap   = 1024     // entries
)

func findMakeConst(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.builtin(call) != "make" || len(call.Args) < 2 {
			continue
		}
		n, ok := constant.Int64Val(constant.ToInt(value(u, call.Args[len(call.Args)-1])))
		if !ok || u.runsOnce(cur) || u.outlives(cur) || u.kept(cur) {
			continue
		}
		switch t := u.under(call).(type) {
		case *types.Slice:
			if size := n * u.TypesSizes.Sizeof(t.Elem()); size >= largeSlice {
				u.report(call, fmt.Sprintf("%d kB at every call: size it by the data, or keep it in a sync.Pool", size>>10))
			}
		case *types.Map:
			if n >= largeMap {
				u.report(call, fmt.Sprintf("room for %d entries at every call: size it by the data", n))
			}
		}
	}
}

// value is an expression's constant value, or one that is not an integer.
func value(u *unit, e ast.Expr) constant.Value {
	if v := u.TypesInfo.Types[e].Value; v != nil {
		return v
	}
	return constant.MakeUnknown()
}

// kept reports whether a value goes into a variable that outlives the call, or belongs to a pool's New.
func (u *unit) kept(cur inspector.Cursor) bool {
	f, ok := function(cur)
	if !ok {
		return true
	}
	if lit, ok := f.Parent().Parent().Node().(*ast.CompositeLit); ok && isNamed(u.TypesInfo.TypeOf(lit), "sync", "Pool") {
		return true
	}
	v := u.assigned(cur)
	if v == nil {
		return false
	}
	for _, use := range u.uses(f, v) {
		if call, ok := use.Parent().Node().(*ast.CallExpr); (!ok || u.builtin(call) != "append") && u.outlives(use) {
			return true
		}
	}
	return false
}
