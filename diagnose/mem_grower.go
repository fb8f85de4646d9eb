package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A grower is a function that has more alive than at the earlier profile, with all that it holds: one of the user's, or
// a dependency's if no line of the user's is on the stack (a middleware that net/http calls, a worker that a library
// started).
type grower struct {
	hold.Sum
	fn      stacks.FuncID
	foreign bool // a dependency's
	shared  bool // no function allocates much of it; this one calls those that do

	bytes, objects float64                        // by which it has grown
	lines          []stacks.Entry[stacks.FrameID] // of the function, the most growth first
	entered        stacks.FrameID                 // the outermost line of a dependency, for foreign growth
	inPlace        *inPlace                       // its blocks grew in place; nil: they did not, or it is not known
}

// newGrower adds up what a function, of the kind that g says, holds.
func newGrower(h *hold.Heap, g grower) *grower {
	byLine := make(map[stacks.FrameID]int64)
	for _, b := range h.Held {
		if g.has(h.Table, b) {
			g.Add(b)
			byLine[g.line(h.Table, b)] += int64(b.Grown().Bytes)
		}
	}
	grown := g.Grown()
	g.bytes, g.objects = grown.Bytes, grown.Objects
	g.lines = slices.DeleteFunc(entries(byLine), func(e stacks.Entry[stacks.FrameID]) bool { return e.Value <= 0 })
	if g.foreign {
		g.entered = h.Table.Entered(g.heaviest(func(*hold.Held) bool { return true }))
	}
	return &g
}

// has reports whether the function holds something: the user's own line made it, or one below a shared function.
func (g *grower) has(t *stacks.Table, b *hold.Held) bool {
	if !g.foreign && !g.shared {
		return b.Line != stacks.NoFrame && t.FuncID(b.Line) == g.fn
	}
	return (g.shared || b.Line == stacks.NoFrame) && lineIn(t, b.Stack, g.fn) != stacks.NoFrame
}

// line is the function's line that made something which it holds.
func (g *grower) line(t *stacks.Table, b *hold.Held) stacks.FrameID {
	if g.foreign || g.shared {
		return lineIn(t, b.Stack, g.fn)
	}
	return b.Line
}

// lineIn is a function's line nearest to the leaf of a stack; NoFrame if it is not on the stack.
func lineIn(t *stacks.Table, stack []stacks.FrameID, fn stacks.FuncID) stacks.FrameID {
	if at := slices.IndexFunc(stack, func(id stacks.FrameID) bool { return t.FuncID(id) == fn }); at >= 0 {
		return stack[at]
	}
	return stacks.NoFrame
}

// heaviest is the stack of what has grown most, of what matches; nil if nothing has grown.
func (g *grower) heaviest(match func(*hold.Held) bool) (stack []stacks.FrameID) {
	most := 0.0
	for _, b := range g.Held {
		if n := b.Grown().Bytes; n > most && match(b) {
			stack, most = b.Stack, n
		}
	}
	return stack
}

// atFirst is the stack of what has grown most at the line with most growth.
func (g *grower) atFirst(t *stacks.Table) []stacks.FrameID {
	return g.heaviest(func(b *hold.Held) bool { return g.line(t, b) == g.lines[0].Key })
}

// maxGrowers is how many functions can each have a third of the growth, or a little more where others shrank.
const maxGrowers = 3

// findGrowers are the functions behind the live heap's growth, the largest first: each that has its part of it
// (growthBlame), and the largest in any case. Nil if nothing of the user's or a dependency's grew.
func findGrowers(h *hold.Heap) []*grower {
	least := growthBlame * h.Grown().Bytes
	all := ownGrowers(h)
	if f := foreignGrower(h); f != nil && (len(all) == 0 || f.bytes > all[0].bytes) {
		all = []*grower{f}
	}
	if len(all) == 0 || all[0].bytes < least {
		if g := sharedGrower(h); g != nil {
			all = []*grower{g}
		}
	}
	for len(all) > 1 && all[len(all)-1].bytes < least {
		all = all[:len(all)-1]
	}
	return all
}

// ownGrowers are the user's functions whose live bytes grew, the most first. A function's shrinking stacks reduce its
// growth.
func ownGrowers(h *hold.Heap) (out []*grower) {
	grown, own := make(map[stacks.FuncID]float64), make(map[stacks.FuncID]float64)
	for _, b := range h.Held {
		if fn := h.Table.FuncID(b.Line); b.Line != stacks.NoFrame {
			grown[fn] += b.Grown().Bytes
			if !b.Pooled(h.Table) { // what a pool made belongs to whoever takes it next
				own[fn] += b.Grown().Bytes
			}
		}
	}
	fns := slices.SortedFunc(maps.Keys(grown), func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(own[b], own[a]), cmp.Compare(grown[b], grown[a]), cmp.Compare(a, b))
	})
	for _, fn := range fns[:min(len(fns), maxGrowers)] {
		if grown[fn] > 0 {
			out = append(out, newGrower(h, grower{fn: fn}))
		}
	}
	return out
}

// sharedGrower is for data with many parts, each made by a different function: a series of a database has labels, an
// index entry and chunks. It is the user's function closest to the leaves that has most of the growth below it; nil if
// only a goroutine's function or a handler has that much: everything is below those.
func sharedGrower(h *hold.Heap) *grower {
	outermost := make(map[*stacks.Func]bool)
	for _, b := range h.Held {
		outermost[h.Table.Func(b.Stack[len(b.Stack)-1])] = true
	}
	fn, below, ok := deepestCommon(h.Table, weighHeld(h.Held, grownBytes), func(f *stacks.Func) bool {
		return f.Owner == stacks.User && !outermost[f] && f.Name != "main.main" &&
			!strings.HasSuffix(f.Name, ".ServeHTTP")
	}, atLeast(holderShare))
	if !ok || below < holderShare*h.Grown().Bytes {
		return nil
	}
	return newGrower(h, grower{fn: fn, shared: true})
}

// foreignGrower looks at what was allocated without a line of the user's above it. It is the deepest function that has
// most of it below it, of the package whose code made most of it. An entry of a map has several parts; the function
// that they all have in common puts them in.
func foreignGrower(h *hold.Heap) *grower {
	of := make(hold.Sums[string])
	for _, b := range h.Held {
		if i := slices.IndexFunc(b.Stack, func(id stacks.FrameID) bool {
			return h.Table.Func(id).Owner == stacks.Dependency
		}); b.Line == stacks.NoFrame && i >= 0 {
			of.Add(h.Table.Func(b.Stack[i]).Package, b)
		}
	}
	best, most := of.Most(hold.GrownBytes)
	if most == nil || most.Grown().Bytes <= 0 {
		return nil
	}
	fn, _, _ := deepestCommon(h.Table, weighHeld(most.Held, grownBytes), ofPackage(best), atLeast(holderShare))
	return newGrower(h, grower{fn: fn, foreign: true})
}

// topLines are the lines with most of some sums by line, of what a measure says; not what no line of the user's made.
func topLines(by hold.Sums[stacks.FrameID], n int, of func(*hold.Sum) float64) []stacks.Entry[stacks.FrameID] {
	sums := make(map[stacks.FrameID]int64)
	for line, s := range by {
		if line != stacks.NoFrame && of(s) > 0 {
			sums[line] = int64(of(s))
		}
	}
	return top(entries(sums), n)
}

// weighHeld are the stacks of what is held, as a function weighs them.
func weighHeld(held []*hold.Held, weight func(*hold.Held) float64) []weighed {
	out := make([]weighed, len(held))
	for i, b := range held {
		out[i] = weighed{b.Stack, weight(b)}
	}
	return out
}

func grownBytes(b *hold.Held) float64 { return b.Grown().Bytes }
