package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A grower is a function whose live bytes grew: one of the user's, or a dependency's if no line of the user's is on the
// stack (a middleware that net/http calls, a worker that a library started).
type grower struct {
	fn      stacks.FuncID
	foreign bool // a dependency's
	shared  bool // no function allocates much of it; this one calls those that do
	bytes   float64
	objects float64
	lines   []stacks.Entry[stacks.FrameID] // of the function, the most growth first
	entered stacks.FrameID                 // the outermost line of a dependency, for foreign growth
	inPlace *inPlace                       // its blocks grew in place; nil: they did not, or it is not known
}

// made is the function's line in a stack that allocates for the grower.
func (g *grower) made(t *stacks.Table, stack []stacks.FrameID) (stacks.FrameID, bool) {
	id, i := t.UserFrame(stack)
	if g.shared {
		return g.lineIn(t, stack)
	}
	if !g.foreign {
		return id, i >= 0 && t.FuncID(id) == g.fn
	}
	if i >= 0 {
		return 0, false
	}
	return g.lineIn(t, stack)
}

// lineIn is the function's line nearest to the leaf of a stack.
func (g *grower) lineIn(t *stacks.Table, stack []stacks.FrameID) (stacks.FrameID, bool) {
	at := slices.IndexFunc(stack, func(id stacks.FrameID) bool { return t.FuncID(id) == g.fn })
	if at < 0 {
		return 0, false
	}
	return stack[at], true
}

// live is how many bytes of a set are the grower's and alive.
func (g *grower) live(set *stacks.Set) (sum float64) {
	w := stacks.ByValue(set.Value("inuse_space", "bytes"))
	for s, n := range set.Counted(w) {
		if _, ok := g.made(set.Table, s.Stack); ok {
			sum += float64(n)
		}
	}
	return sum
}

// maxGrowers is how many functions can each have a third of the growth, or a little more where others shrank.
const maxGrowers = 3

// findGrowers are the functions behind the live heap's growth, the largest first: each that has its part of it
// (growthBlame), and the largest in any case. Nil if nothing of the user's or a dependency's grew.
func findGrowers(r *Reading, diff *stacks.Set) []*grower {
	least := growthBlame * float64(diff.Total(stacks.ByValue(diff.Value("inuse_space", "bytes"))))
	all := ownGrowers(r, diff)
	if f := foreignGrower(r, diff); f != nil && (len(all) == 0 || f.bytes > all[0].bytes) {
		all = []*grower{f}
	}
	if len(all) == 0 || all[0].bytes < least {
		if g := sharedGrower(r, diff); g != nil {
			all = []*grower{g}
		}
	}
	for i, g := range all {
		if i == maxGrowers || i > 0 && g.bytes < least {
			all = all[:i]
			break
		}
		g.findLines(r, diff)
	}
	return all
}

// findLines adds up the growth by the lines of the function.
func (g *grower) findLines(r *Reading, diff *stacks.Set) {
	byLine := make(map[stacks.FrameID]int64)
	space := stacks.ByValue(diff.Value("inuse_space", "bytes"))
	for i := range diff.Samples {
		if id, ok := g.made(r.Table, diff.Samples[i].Stack); ok {
			byLine[id] += space(&diff.Samples[i])
		}
	}
	g.lines = slices.DeleteFunc(entries(byLine), func(e stacks.Entry[stacks.FrameID]) bool { return e.Value <= 0 })
}

// ownGrowers are the user's functions whose live bytes grew, the most first. A function's shrinking stacks reduce its
// growth, so sums are made here and not by SumBy.
func ownGrowers(r *Reading, diff *stacks.Set) []*grower {
	space, number := stacks.ByValue(diff.Value("inuse_space", "bytes")),
		stacks.ByValue(diff.Value("inuse_objects", "count"))
	byFunc := make(map[stacks.FuncID]*grower)
	for i := range diff.Samples {
		s := &diff.Samples[i]
		if id, ok := r.UserLine(s); ok {
			f := r.Table.FuncID(id)
			if byFunc[f] == nil {
				byFunc[f] = &grower{fn: f}
			}
			byFunc[f].bytes += float64(space(s))
			byFunc[f].objects += float64(number(s))
		}
	}
	maps.DeleteFunc(byFunc, func(_ stacks.FuncID, g *grower) bool { return g.bytes <= 0 })
	return slices.SortedFunc(maps.Values(byFunc), func(a, b *grower) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.fn, b.fn))
	})
}

// sharedGrower is for data with many parts, each made by a different function: a series of a database has labels, an
// index entry and chunks. It is the user's function closest to the leaves that has most of the growth below it; nil if
// only a goroutine's function or a handler has that much: everything is below those.
func sharedGrower(r *Reading, diff *stacks.Set) *grower {
	space, number := stacks.ByValue(diff.Value("inuse_space", "bytes")),
		stacks.ByValue(diff.Value("inuse_objects", "count"))
	outermost := make(map[*stacks.Func]bool)
	var samples []*stacks.Sample
	for i := range diff.Samples {
		s := &diff.Samples[i]
		samples = append(samples, s)
		if n := len(s.Stack); n > 0 {
			outermost[r.Table.Func(s.Stack[n-1])] = true
		}
	}
	fn, below, ok := deepestCommon(r.Table, samples, func(f *stacks.Func) bool {
		return f.Owner == stacks.User && !outermost[f] && f.Name != "main.main" &&
			!strings.HasSuffix(f.Name, ".ServeHTTP")
	}, space, func(stacks.FuncID) float64 { return holderShare })
	if !ok || below < holderShare*float64(diff.Total(space)) {
		return nil
	}
	g := &grower{fn: fn, shared: true, bytes: below}
	for _, s := range samples {
		if _, ok := g.lineIn(r.Table, s.Stack); ok {
			g.objects += float64(number(s))
		}
	}
	return g
}

// foreignGrower looks at what was allocated without a line of the user's above it. It is the deepest function that has
// most of it below it, of the package whose code made most of it. An entry of a map has several parts; the function
// that they all have in common puts them in.
func foreignGrower(r *Reading, diff *stacks.Set) *grower {
	space, number := stacks.ByValue(diff.Value("inuse_space", "bytes")),
		stacks.ByValue(diff.Value("inuse_objects", "count"))
	bytes, samples := make(map[string]float64), make(map[string][]*stacks.Sample)
	for i := range diff.Samples {
		s := &diff.Samples[i]
		if pkg, ok := foreignPackage(r, s.Stack); ok {
			bytes[pkg] += float64(space(s))
			samples[pkg] = append(samples[pkg], s)
		}
	}
	best := ""
	for pkg, n := range bytes {
		if best == "" || cmp.Or(cmp.Compare(n, bytes[best]), cmp.Compare(best, pkg)) > 0 {
			best = pkg
		}
	}
	if bytes[best] <= 0 {
		return nil
	}
	fn, _, _ := deepestCommon(r.Table, samples[best], ofPackage(best), space,
		func(stacks.FuncID) float64 { return holderShare })
	g := &grower{foreign: true, fn: fn, entered: stacks.NoFrame}
	most := int64(0)
	for _, s := range samples[best] {
		if _, ok := g.made(r.Table, s.Stack); !ok {
			continue
		}
		g.bytes += float64(space(s))
		g.objects += float64(number(s))
		if space(s) > most {
			most, g.entered = space(s), r.Table.Entered(s.Stack)
		}
	}
	return g
}

// foreignPackage is the innermost dependency's package of a stack without a line of the user's.
func foreignPackage(r *Reading, stack []stacks.FrameID) (pkg string, ok bool) {
	for _, id := range stack {
		switch f := r.Table.Func(id); {
		case f.Owner == stacks.User:
			return "", false
		case f.Owner == stacks.Dependency && pkg == "":
			pkg = f.Package
		}
	}
	return pkg, pkg != ""
}
