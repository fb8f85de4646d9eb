package view

import "github.com/gocasebook/casebook/diagnose/stacks"

// A FuncSet tells by FuncID whether a function belongs to a set. A profile has a hundred times as many frames as
// functions, so names are compared once per function and not once per frame.
type FuncSet []bool

// Funcs are the functions of all evidence for which match is true.
func (v *View) Funcs(match func(*stacks.Func) bool) FuncSet {
	set := make(FuncSet, len(v.Table.Funcs))
	for i := range v.Table.Funcs {
		set[i] = match(&v.Table.Funcs[i])
	}
	return set
}

// In reports whether one of the functions is in a stack.
func (m FuncSet) In(t *stacks.Table, stack []stacks.FrameID) bool {
	for _, id := range stack {
		if m[t.FuncID(id)] {
			return true
		}
	}
	return false
}

// Sum is the weight of the samples of a set that have one of the functions on their stacks.
func (m FuncSet) Sum(set *stacks.Set, w stacks.Weight) (sum float64) {
	for s, n := range set.Counted(w) {
		if m.In(set.Table, s.Stack) {
			sum += float64(n)
		}
	}
	return sum
}

// Line is the user's line that calls one of the functions on a sample's stack; false where none does. It is a key for
// stacks.SumBy.
func (m FuncSet) Line(t *stacks.Table) func(*stacks.Sample) (stacks.FrameID, bool) {
	return func(s *stacks.Sample) (stacks.FrameID, bool) {
		line, hit := m.BelowUser(t, s.Stack)
		return line, hit && line != stacks.NoFrame
	}
}

// BelowUser reports whether one of the functions is in a stack below the user's first line, and which line that is;
// NoFrame without one.
func (m FuncSet) BelowUser(t *stacks.Table, stack []stacks.FrameID) (line stacks.FrameID, hit bool) {
	for _, id := range stack {
		fn := t.FuncID(id)
		if t.Funcs[fn].Owner == stacks.User {
			return id, hit
		}
		hit = hit || m[fn]
	}
	return stacks.NoFrame, hit
}
