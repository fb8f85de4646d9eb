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

// lineTable tallies the lines of the heaviest functions.
func lineTable(set *stacks.Set) []lineRow {
	rows := tallyLines(set)
	whole := make([]int64, len(set.Types))
	for _, r := range rows {
		for k := range whole {
			whole[k] = plus(whole[k], r.self[k])
		}
	}
	heaviest := make(map[stacks.FuncID]float64) // the largest share of a line in any sample type
	number := make(map[stacks.FuncID]int)
	for _, r := range rows {
		number[r.fn]++
		for k, v := range r.total {
			heaviest[r.fn] = max(heaviest[r.fn], float64(v)/float64(max(whole[k], 1)))
		}
	}
	order := make([]stacks.FuncID, 0, len(number))
	for fn := range number {
		order = append(order, fn)
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
	return slices.DeleteFunc(rows, func(r lineRow) bool { return !keep[r.fn] })
}

// tallyLines returns all lines, by function and line. It stops where the tree would: see maxSteps.
func tallyLines(set *stacks.Set) []lineRow {
	at := make([]int32, len(set.Table.Frames))   // by frame: its row and 1, 0 for none
	seen := make([]int32, len(set.Table.Frames)) // by frame: the last sample with it and 1
	var rows []lineRow
	steps := 0
	for n := range set.Samples {
		s := &set.Samples[n]
		if steps += len(s.Stack); steps > maxSteps {
			break
		}
		for depth, id := range s.Stack {
			if seen[id] == int32(n+1) {
				continue
			}
			seen[id] = int32(n + 1)
			if at[id] == 0 {
				f := set.Table.Frames[id]
				rows = append(rows, lineRow{f.Func, f.Line, make([]int64, len(set.Types)),
					make([]int64, len(set.Types))})
				at[id] = int32(len(rows))
			}
			i := at[id] - 1
			for k, v := range s.Values[:len(set.Types)] {
				rows[i].total[k] = plus(rows[i].total[k], max(v, 0))
				if depth == 0 {
					rows[i].self[k] = plus(rows[i].self[k], max(v, 0))
				}
			}
		}
	}
	slices.SortFunc(rows, func(a, b lineRow) int {
		return cmp.Or(cmp.Compare(a.fn, b.fn),
			cmp.Compare(a.line, b.line))
	})
	return rows
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
