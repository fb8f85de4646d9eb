package report

import (
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Costs are what functions and lines hold in a set: with them at the leaf of a stack, and with them anywhere on it,
// once a stack. Columns are by sample type; those of lines are by frame, which is a line of a function.
type costs struct {
	funcSelf, funcTotal, lineSelf, lineTotal [][]int64
	seen                                     []bool // by frame: a sample has it
}

// costsOf adds up a set. It stops where a tree would: see maxSteps. Values below zero are counted as zero.
func costsOf(set *stacks.Set) *costs {
	types := len(set.Types)
	t := &costs{seen: make([]bool, len(set.Table.Frames))}
	columns := func(n int) [][]int64 {
		out := make([][]int64, types)
		for k := range out {
			out[k] = make([]int64, n)
		}
		return out
	}
	funcs, frames := len(set.Table.Funcs), len(set.Table.Frames)
	t.funcSelf, t.funcTotal = columns(funcs), columns(funcs)
	t.lineSelf, t.lineTotal = columns(frames), columns(frames)
	lastOf := make([]int32, frames) // the last sample with the frame, and 1
	lastFn := make([]int32, funcs)  // the last sample with the function, and 1
	steps := 0
	for n := range set.Samples {
		s := &set.Samples[n]
		if steps += len(s.Stack); steps > maxSteps {
			break
		}
		mark := int32(n + 1)
		for depth, id := range s.Stack {
			if lastOf[id] == mark {
				continue
			}
			lastOf[id] = mark
			fn := set.Table.Frames[id].Func
			first := lastFn[fn] != mark
			lastFn[fn] = mark
			for k, v := range s.Values[:types] {
				v = max(v, 0)
				t.lineTotal[k][id] = plus(t.lineTotal[k][id], v)
				if first {
					t.funcTotal[k][fn] = plus(t.funcTotal[k][fn], v)
				}
				if depth == 0 {
					t.lineSelf[k][id] = plus(t.lineSelf[k][id], v)
					t.funcSelf[k][fn] = plus(t.funcSelf[k][fn], v)
				}
			}
		}
	}
	for id, n := range lastOf {
		t.seen[id] = n > 0
	}
	return t
}
