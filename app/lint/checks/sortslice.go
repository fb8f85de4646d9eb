package checks

import (
	"go/ast"
	"go/types"
)

var sortSlice = check("sortslice", findSortSlice, `report sort.Slice, sort.Sort and their like where sorting costs

They compare and swap through an interface or by reflection: the fastest of ten runs with 1,000 structs of 48 bytes
took 559 µs, and 248 µs with slices.SortFunc, which the compiler makes for the type (BenchmarkCostAgain/sort, on a
busy machine, where others saw no difference).

It counts only with heat, by what sort and reflection take by themselves, and not the comparing function. Not
reported: heaps and other interfaces that are not for sorting, slices that are sorted in reverse by sort.Reverse, code
for Go before 1.21, and what runs once.`)

func findSortSlice(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if u.before(cur, "go1.21") || u.runsOnce(cur) {
			continue
		}
		switch {
		case isFunc(fn, "sort", "Slice"):
			u.report(call, "it swaps by reflection: slices.SortFunc is made for the type")
		case isFunc(fn, "sort", "SliceStable"):
			u.report(call, "it swaps by reflection: slices.SortStableFunc is made for the type")
		case isFunc(fn, "sort", "Sort", "Stable") && u.isSlice(call.Args[0]):
			u.report(call, "it compares and swaps through an interface: slices.SortFunc is made for the type")
		}
	}
}

// isSlice reports whether what is sorted is a slice of a type of its own.
func (u *unit) isSlice(e ast.Expr) bool {
	_, ok := u.under(e).(*types.Slice)
	return ok
}
