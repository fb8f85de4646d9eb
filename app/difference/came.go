package difference

import (
	"maps"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// mostOfIt is the part of what came below a function that a function further in must have to be named for it.
const mostOfIt = 0.8

// came are the functions that have CPU now and had none in the base, each with all that it calls. Of functions that
// call each other the innermost is named that has most of it. The last result is what is left of now.
func came(base, now *measure) (out []Place, left *measure) {
	before := base.below()
	rest := *now
	for range mostMore {
		after := rest.below()
		isNew := func(name string) (Place, bool) {
			p, ok := placeOf(name, base, &rest, before[name], after[name])
			return p, ok && p.State == Came
		}
		top := ""
		for _, name := range slices.Sorted(maps.Keys(after)) {
			if _, ok := isNew(name); ok && (top == "" || after[name].all > after[top].all) {
				top = name
			}
		}
		if top == "" {
			break
		}
		name := rest.innermost(top, func(name string) bool { _, ok := isNew(name); return ok })
		p, _ := isNew(name)
		out = append(out, p)
		rest.leave(name)
	}
	return out, &rest
}

// innermost is the function nearest to the leaf, of those that may be named, that has most of what is below another.
func (m *measure) innermost(top string, may func(string) bool) string {
	in := m.passing(top, 0)
	part := *m
	part.weight = func(s *stacks.Sample) int64 {
		if !in(s) {
			return 0
		}
		return m.weight(s)
	}
	below := part.below()
	for _, id := range m.set.Heaviest(m.weight, in) {
		name := m.table.Func(id).Name
		if f := below[name]; f != nil && f.all >= mostOfIt*below[top].all && may(name) {
			return name
		}
	}
	return top
}

// leave takes out what is below a function. The total stays.
func (m *measure) leave(name string) {
	weight, in := m.weight, m.passing(name, 0)
	m.weight = func(s *stacks.Sample) int64 {
		if in(s) {
			return 0
		}
		return weight(s)
	}
}

// below adds up by every function of the program and its dependencies on a stack, with all that it calls. The
// collector's work belongs to none.
func (m *measure) below() map[string]*spent {
	lines := make(map[stacks.FrameID]float64)
	for s, v := range m.set.Counted(m.weight) {
		if s.Class.GC() {
			continue
		}
		for i, id := range s.Stack {
			owner := m.table.Func(id).Owner
			if owner != stacks.User && owner != stacks.Dependency || m.calls(s.Stack[:i], id) {
				continue
			}
			lines[id] += m.scale * float64(v)
		}
	}
	return m.named(lines)
}

// calls reports whether a function is on a stack already, which recursion would count twice.
func (m *measure) calls(inner []stacks.FrameID, id stacks.FrameID) bool {
	fn := m.table.FuncID(id)
	return slices.ContainsFunc(inner, func(other stacks.FrameID) bool { return m.table.FuncID(other) == fn })
}

// turn makes a place that came with the sides exchanged one that went.
func (p *Place) turn() {
	p.State = Went
	p.Base, p.Now = p.Now, p.Base
	p.BaseShare, p.NowShare = p.NowShare, p.BaseShare
}
