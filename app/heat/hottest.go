package heat

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Line is a line of a function, with what it costs.
type Line struct {
	Function string
	Package  string
	File     string // on this machine where it is here, otherwise as the build recorded it
	Built    string // as the build recorded it
	Line     int
	Owner    stacks.Owner
	Own      Cost // of the line by itself, with what the runtime does for it
	Cost     Cost // with everything that is called there
}

// A Function is a function with what it costs.
type Function struct {
	Name    string
	Package string
	File    string // as Line.File
	Start   int    // the line on which it begins; 0 where the profile does not say
	Owner   stacks.Owner
	Own     Cost
	Cost    Cost
}

// Hottest returns the lines that cost most by themselves: a line of the runtime counts for the one that called it. At
// most n of them; all without a positive n.
func (m *Map) Hottest(by Measure, n int) []Line {
	if m.table == nil {
		return nil
	}
	own := make(map[stacks.FrameID]shares)
	for i, stack := range m.stacks {
		if f, at := m.table.Caller(stack); at >= 0 {
			own[f] = own[f].plus(m.costs[i])
		}
	}
	out := make([]Line, 0, len(own))
	for f, sum := range own {
		c := sum.cost()
		if c[by] <= 0 {
			continue
		}
		fn := m.table.Func(f)
		out = append(out, Line{Function: fn.Name, Package: fn.Package, File: m.files[m.table.FuncID(f)], Built: fn.File,
			Line: m.table.Line(f), Owner: fn.Owner, Own: c})
	}
	slices.SortFunc(out, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Own[by], a.Own[by]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Function, b.Function))
	})
	if n > 0 {
		out = out[:min(n, len(out))]
	}
	for i := range out {
		out[i].Cost = m.Lines(out[i].File, out[i].Line, out[i].Line)
	}
	return out
}

// Functions returns all functions that have samples, the most expensive first.
func (m *Map) Functions(by Measure) []Function {
	if m.table == nil {
		return nil
	}
	own, all := make([]shares, len(m.table.Funcs)), make([]shares, len(m.table.Funcs))
	seen := make([]int, len(m.table.Funcs)) // the sample that last counted the function, plus one
	for i, stack := range m.stacks {
		if f, at := m.table.Caller(stack); at >= 0 {
			fn := m.table.FuncID(f)
			own[fn] = own[fn].plus(m.costs[i])
		}
		for _, f := range stack {
			if fn := m.table.FuncID(f); seen[fn] != i+1 {
				seen[fn], all[fn] = i+1, all[fn].plus(m.costs[i])
			}
		}
	}
	var out []Function
	for i := range all {
		if f := &m.table.Funcs[i]; seen[i] > 0 {
			out = append(out, Function{Name: f.Name, Package: f.Package, File: m.files[i], Start: int(f.Start),
				Owner: f.Owner, Own: own[i].cost(), Cost: all[i].cost()})
		}
	}
	slices.SortFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Cost[by], a.Cost[by]), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
	return out
}

// A Stack is a call stack with what was charged to it.
type Stack struct {
	Frames []stacks.FrameID // of Table, the leaf first
	Cost   Cost
}

// Stacks returns every stack that costs something by a measure. A heap profile has a stack once for each size of object
// that was allocated there.
func (m *Map) Stacks(by Measure) (out []Stack) {
	for i, frames := range m.stacks {
		if c := m.costs[i].cost(); c[by] > 0 {
			out = append(out, Stack{frames, c})
		}
	}
	return out
}

// Table is what the frames of Stacks are of; nil where nothing was sampled.
func (m *Map) Table() *stacks.Table { return m.table }
