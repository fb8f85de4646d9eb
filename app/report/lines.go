package report

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// maxLineNumbers bounds the numbers in a profile's table of lines: two for each line and sample type. The heaviest
// functions have all their lines in it; for others the page knows one line per frame.
const maxLineNumbers = 1200

// A lineRow is one line of a function, by sample type: what was counted with the line at the leaf of the stack, and
// with it anywhere on the stack, once a stack.
type lineRow struct {
	fn          stacks.FuncID
	line        int32
	self, total []int64
}

// lineTable has the lines of the heaviest functions.
func lineTable(set *stacks.Set, sums *costs) []lineRow {
	whole := make([]int64, len(set.Types))
	for k := range whole {
		for _, v := range sums.lineSelf[k] {
			whole[k] = plus(whole[k], v)
		}
	}
	heaviest := make([]float64, len(set.Table.Funcs)) // by function: the largest share of a line in any sample type
	number := make([]int, len(set.Table.Funcs))
	var order []stacks.FuncID
	for id, f := range set.Table.Frames {
		if !sums.seen[id] {
			continue
		}
		if number[f.Func]++; number[f.Func] == 1 {
			order = append(order, f.Func)
		}
		for k := range whole {
			heaviest[f.Func] = max(heaviest[f.Func], float64(sums.lineTotal[k][id])/float64(max(whole[k], 1)))
		}
	}
	slices.SortFunc(order, func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(heaviest[b], heaviest[a]), cmp.Compare(a, b))
	})
	room := maxLineNumbers / 2 / max(len(set.Types), 1)
	keep := make(map[stacks.FuncID]bool)
	for _, fn := range order {
		if number[fn] <= room {
			keep[fn] = true
			room -= number[fn]
		}
	}
	return sums.rows(set, keep)
}

// rows are the lines of some functions, by function and line.
func (t *costs) rows(set *stacks.Set, of map[stacks.FuncID]bool) (out []lineRow) {
	for id, f := range set.Table.Frames {
		if !t.seen[id] || !of[f.Func] {
			continue
		}
		r := lineRow{fn: f.Func, line: f.Line}
		for k := range set.Types {
			r.self, r.total = append(r.self, t.lineSelf[k][id]), append(r.total, t.lineTotal[k][id])
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b lineRow) int {
		return cmp.Or(cmp.Compare(a.fn, b.fn), cmp.Compare(a.line, b.line))
	})
	return out
}

// linesData is the table of lines as columns.
type linesData struct {
	Fn    []int32   `json:"fn"`
	Line  []int32   `json:"line"`
	Self  [][]int64 `json:"self"`  // [type]
	Total [][]int64 `json:"total"` // [type]
}

// lineColumn returns all values of one sample type in the table.
func (g *graph) lineColumn(k int) []int64 {
	var out []int64
	for _, r := range g.lines {
		out = append(out, r.self[k], r.total[k])
	}
	return out
}

// lines encodes the rows of functions that are drawn, in units of the columns.
func (e *encoder) lines(g *graph, units []int64) *linesData {
	out := &linesData{Fn: []int32{}, Line: []int32{}, Self: make([][]int64, len(units)),
		Total: make([][]int64, len(units))}
	for k := range units {
		out.Self[k], out.Total[k] = []int64{}, []int64{}
	}
	for _, r := range g.lines {
		if _, drawn := g.names[e.table.Funcs[r.fn].Name]; !drawn {
			continue
		}
		out.Fn, out.Line = append(out.Fn, e.fn(r.fn)), append(out.Line, r.line)
		for k, unit := range units {
			out.Self[k], out.Total[k] = append(out.Self[k], r.self[k]/unit), append(out.Total[k], r.total[k]/unit)
		}
	}
	return out
}
