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
func topFunctions(sums *costs, k int, st sampleType, whole int64, table *stacks.Table) []topRow {
	self, total := sums.funcSelf[k], sums.funcTotal[k]
	var order []stacks.FuncID
	for fn, v := range self {
		if v > 0 {
			order = append(order, stacks.FuncID(fn))
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
			SelfShare:  float64(self[fn]) / float64(max(whole, 1)),
			TotalShare: float64(total[fn]) / float64(max(whole, 1)),
		})
	}
	return rows
}
