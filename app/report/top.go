package report

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A topRow is one line of a profile's table of functions.
type topRow struct {
	Function    stacks.Func
	Self, Total string
	SelfShare   float64
	TotalShare  float64
}

// topRows is how many functions the table of a profile lists.
const topRows = 15

// topFunctions ranks functions by what they hold themselves. A function's total counts a stack once, however often the
// function recurs in it.
func topFunctions(t *tree, k int, st sampleType, table *stacks.Table) []topRow {
	self, total := make(map[stacks.FuncID]int64), make(map[stacks.FuncID]int64)
	sums, again := t.totals(k), t.recursive(table)
	for i, n := range t.nodes[1:] {
		self[n.fn] = plus(self[n.fn], t.self[k][i+1])
		if !again[i+1] {
			total[n.fn] = plus(total[n.fn], sums[i+1])
		}
	}
	order := make([]stacks.FuncID, 0, len(self))
	for fn, v := range self {
		if v > 0 {
			order = append(order, fn)
		}
	}
	slices.SortFunc(order, func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(self[b], self[a]), cmp.Compare(table.Funcs[a].Name, table.Funcs[b].Name))
	})
	rows := make([]topRow, 0, topRows)
	for _, fn := range order[:min(len(order), topRows)] {
		rows = append(rows, topRow{
			Function:   table.Funcs[fn],
			Self:       quantity(float64(self[fn])*st.Scale, st.Unit),
			Total:      quantity(float64(total[fn])*st.Scale, st.Unit),
			SelfShare:  float64(self[fn]) / float64(max(sums[0], 1)),
			TotalShare: float64(total[fn]) / float64(max(sums[0], 1)),
		})
	}
	return rows
}

// recursive marks the nodes whose function is also above them on the stack.
func (t *tree) recursive(table *stacks.Table) []bool {
	order, depth := t.family().walk()
	out := make([]bool, len(t.nodes))
	above := make([]int32, len(table.Funcs)) // how often a function is on the path
	var path []stacks.FuncID                 // functions, by depth − 1
	for i, at := range order[1:] {
		for int(depth[i+1]) <= len(path) {
			above[path[len(path)-1]]--
			path = path[:len(path)-1]
		}
		fn := t.nodes[at].fn
		out[at] = above[fn] > 0
		above[fn]++
		path = append(path, fn)
	}
	return out
}
