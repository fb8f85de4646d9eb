package difference

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// States of a Place.
const (
	Came = "came" // it had next to nothing
	Grew = "grew"
	Fell = "fell"
	Went = "went"
)

// A Place is a function that has more or less of a resource than in the base: the program's own nearest to the leaf of
// each stack, or the dependency's that is entered, with all that it calls.
type Place struct {
	State    string  `json:"state"`
	Resource string  `json:"resource"`
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"` // that has most now, or had
	Unit     string  `json:"unit"`
	Base     float64 `json:"base"`
	Now      float64 `json:"now"`
	// of the whole, 0–1
	BaseShare float64 `json:"base_share"`
	NowShare  float64 `json:"now_share"`
}

// Bounds on what is told of places.
const (
	leastPart  = 0.02 // of the larger whole
	leastRatio = 1.25 // as diagnose.Compare has it for shares
	hardly     = 0.02 // of the other side, for what came or went
	mostMore   = 5    // places of a resource that came or grew
	mostLess   = 3    // that went or fell
)

// A spent is what one function has on one side.
type spent struct {
	all  float64
	most float64 // of one line
	line stacks.FrameID
}

// places are the functions of which one side has more, that of now before the other, the largest difference first. Of
// CPU, what came or went is told once with all that it calls, and only the rest function by function.
func places(base, now *measure) []Place {
	if base == nil || now == nil {
		return nil
	}
	var more, less []Place
	if now.name == CPU {
		var after, before *measure
		more, after = came(base, now)
		less, before = came(now, base)
		base, now = before, after
		for i := range less {
			less[i].turn()
		}
	}
	before, after := base.byFunction(), now.byFunction()
	for name := range maps.Keys(union(before, after)) {
		p, ok := placeOf(name, base, now, before[name], after[name])
		switch {
		case !ok:
		case p.Now > p.Base:
			more = append(more, p)
		default:
			less = append(less, p)
		}
	}
	return append(largest(more, mostMore), largest(less, mostLess)...)
}

func placeOf(name string, base, now *measure, before, after *spent) (p Place, ok bool) {
	p = Place{Resource: now.name, Function: name, Unit: string(now.unit)}
	table, at := now.table, after
	if at == nil {
		table, at = base.table, before
	}
	p.File, p.Line = table.Func(at.line).File, table.Line(at.line)
	if before != nil {
		p.Base = before.all
	}
	if after != nil {
		p.Now = after.all
	}
	p.BaseShare, p.NowShare = part(p.Base, base.total), part(p.Now, now.total)
	low, high := min(p.Base, p.Now), max(p.Base, p.Now)
	shareRose := p.NowShare > p.BaseShare
	if high < leastRatio*low || high-low < leastPart*max(base.total, now.total) ||
		!surely(base, now, p.Base, p.Now) || now.name == CPU && shareRose != (p.Now > p.Base) {
		return p, false // of CPU, all that it has more or less is the load
	}
	few := low < hardly*high
	switch {
	case p.Now > p.Base && few:
		p.State = Came
	case p.Now > p.Base:
		p.State = Grew
	case few:
		p.State = Went
	default:
		p.State = Fell
	}
	return p, true
}

// byFunction adds up by the place that a sample belongs to. The collector's work belongs to no function.
func (m *measure) byFunction() map[string]*spent {
	lines := make(map[stacks.FrameID]float64)
	for s, v := range m.set.Counted(m.weight) {
		if !s.Class.GC() {
			lines[m.place(s.Stack)] += m.scale * float64(v)
		}
	}
	return m.named(lines)
}

// named adds up lines by function.
func (m *measure) named(lines map[stacks.FrameID]float64) map[string]*spent {
	out := make(map[string]*spent)
	for _, id := range slices.Sorted(maps.Keys(lines)) {
		if id == stacks.NoFrame {
			continue
		}
		name, v := m.table.Func(id).Name, lines[id]
		f := out[name]
		if f == nil {
			f = &spent{line: id}
			out[name] = f
		}
		if f.all += v; v > f.most {
			f.most, f.line = v, id
		}
	}
	return out
}

// place is where a stack belongs.
func (m *measure) place(stack []stacks.FrameID) stacks.FrameID {
	if id, i := m.table.UserFrame(stack); i >= 0 {
		return id
	}
	if id := m.table.Entered(stack); id != stacks.NoFrame {
		return id
	}
	return m.table.Root(stack)
}

func union(a, b map[string]*spent) map[string]*spent {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// largest are the places that differ most.
func largest(ps []Place, most int) []Place {
	slices.SortFunc(ps, func(a, b Place) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Now-b.Base), math.Abs(a.Now-a.Base)), cmp.Compare(a.Function, b.Function))
	})
	return ps[:min(len(ps), most)]
}

func part(v, of float64) float64 {
	if of <= 0 {
		return 0
	}
	return v / of
}

// Amount is what the place has on both sides.
func (p *Place) Amount() Amount { return Amount{vitals.Unit(p.Unit), &p.Base, &p.Now} }

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
