package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A grower is a function that has more alive than at the earlier profile, with all that it holds: one of the user's, or
// a dependency's if no line of the user's is on the stack (a middleware, a library's worker).
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
		g.entered = h.Table.Entered(g.heaviest(h.Table, stacks.NoFrame))
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

// heaviest is the stack of what has grown most at a line, stacks.NoFrame for any; nil if nothing has grown.
func (g *grower) heaviest(t *stacks.Table, at stacks.FrameID) (stack []stacks.FrameID) {
	most := 0.0
	for _, b := range g.Held {
		if n := b.Grown().Bytes; n > most && (at == stacks.NoFrame || g.line(t, b) == at) {
			stack, most = b.Stack, n
		}
	}
	return stack
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

// sharedGrower is for data with many parts, each made by a different function. It is the user's function closest to the
// leaves that has most of the growth below it; nil if only a goroutine's function or a handler has, as they have all.
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

// foreignGrower is about what was allocated without a line of the user's above it: the deepest function that has most of
// it below it, of the package whose code made most. It puts in the entry of a map, of which several parts are made.
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

// A slice that is only ever appended to is one object, however long it has become: no more objects are alive when it
// has grown. What shows it is that the same few blocks are alive at both times and larger, and that the line allocated
// nothing else in between than each next step. A body that is read goes through the smaller steps as well.

// wholeBlock is from which size each block is sampled and judged: four times the default rate, which leaves out one in
// fifty.
const wholeBlock = 2 << 20

// An inPlace is a growth of blocks that stay as many.
type inPlace struct {
	blocks   float64
	from, to float64 // bytes
	seconds  float64
}

// growsInPlace is what a line's blocks have grown by between the captures; nil if they have not, or not in place.
func growsInPlace(h *hold.Heap, at stacks.FrameID) *inPlace {
	s := h.Sum(func(b *hold.Held) bool { return b.Line == at && b.Size >= wholeBlock })
	if h.First == nil || s == nil || s.Before.Objects < 1 || s.Before.Objects != s.Now.Objects ||
		s.Now.Bytes < leastGrowthStep*s.Before.Bytes {
		return nil
	}
	least, steps := math.Inf(1), 0.0 // the smallest that lived before, and what was made since
	for _, b := range s.Held {
		if b.Before.Objects > 0 {
			least = min(least, b.Size)
		}
	}
	for _, b := range s.Held {
		switch came := b.Came().Objects; {
		case came > 0 && b.Size <= least:
			return nil // a smaller step than what lives: it is built again
		case came > 0:
			steps += came
		}
	}
	if steps > s.Now.Objects*(math.Log(s.Now.Bytes/s.Before.Bytes)/math.Log(leastGrowthStep)+2) {
		return nil
	}
	return &inPlace{s.Now.Objects, s.Before.Bytes, s.Now.Bytes, lapse(h.First, h.Last).Seconds()}
}

// mostInPlace is the growth in place that a grower's memory is for the most part; nil if it is not.
func mostInPlace(h *hold.Heap, w *grower) *inPlace {
	if p := growsInPlace(h, w.lines[0].Key); p != nil && p.to-p.from >= w.bytes/2 {
		return p
	}
	return nil
}

// text says what grew: "one block that append makes larger: 41.3 MiB, and 80.7 MiB 80 s later".
func (p *inPlace) text() string {
	what := "one block that append makes larger"
	if p.blocks > 1 {
		what = count(p.blocks) + " blocks that append makes larger"
	}
	return fmt.Sprintf("%s: %s, and %s %s later", what, size(p.from), size(p.to), seconds(p.seconds))
}

// boundIt is what to do about a slice or a buffer that is only added to.
func boundIt() casefile.Remedy {
	return aBound("It is only added to: drop old entries (a ring of fixed size, or blocks by time), "+
		"write them out and start again, or count instead of keeping them. A buffer that collects output needs a "+
		"Reset, or a limit.", "old entries are gone")
}
