package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// The compressors of the standard library allocate their tables, 800 KiB, at the first Write and next to nothing when
// they are made; so does klauspost's zstd.Encoder. The stack of that Write ends at the first writer, perhaps a
// middleware's wrapper, but the line to change is the one that made the compressor for this call. A heap profile since
// the start sometimes has a sample of that line. If its function is also on the stacks of the first Write, the two belong together.

// calling is the user's line of a stack, if it calls a function that does a work.
func (x *costIndex) calling(stack []stacks.FrameID, work known.Work) (line stacks.FrameID, at int, ok bool) {
	line, at = x.t.UserFrame(stack)
	return line, at, at > 0 && x.t.Func(stack[at-1]).Does(work)
}

// resolveMakers attributes the cost of first uses to the line that makes the object.
func (c *costView) resolveMakers(r *Reading) {
	row := c.row("alloc-buffer-per-call")
	makers, uses := map[stacks.FuncID]stacks.FrameID{}, map[stacks.FrameID]map[stacks.FuncID]bool{}
	for _, set := range append(r.All(casefile.Heap, casefile.Allocs), r.Best(casefile.CPU)...) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			if line, _, ok := c.x.calling(stack, known.MakesCodecLate); ok {
				makers[c.x.t.FuncID(line)] = line
			}
			line, at, ok := c.x.calling(stack, known.UsesCodec)
			if _, counts := c.byLine[costKey{row, line}]; !ok || !counts {
				continue
			}
			if uses[line] == nil {
				uses[line] = map[stacks.FuncID]bool{}
			}
			for _, id := range stack[at+1:] {
				uses[line][c.x.t.FuncID(id)] = true
			}
		}
	}
	fns := make([]stacks.FuncID, 0, len(makers))
	for fn := range makers {
		fns = append(fns, fn)
	}
	slices.SortFunc(fns, func(a, b stacks.FuncID) int { return cmp.Compare(a, b) })
	for line, outer := range uses {
		if i := slices.IndexFunc(fns, func(fn stacks.FuncID) bool { return outer[fn] }); i >= 0 &&
			makers[fns[i]] != line {
			c.merge(costKey{row, line}, makers[fns[i]])
		}
	}
}

// merge attributes the cost of a line to another line.
func (c *costView) merge(k costKey, to stacks.FrameID) {
	from, l := c.byLine[k], c.at(k.kind, to)
	l.add(from)
	l.malloc += from.malloc
	l.usedAt = append(l.usedAt, k.line)
	for id, w := range from.calls {
		l.calls[id] += w
	}
	for id, w := range from.vias {
		l.vias[id] += w
	}
	delete(c.byLine, k)
}

// What a library does in goroutines of its own for a call of the user's costs as much as what it does in the call. The
// stack of such a goroutine begins in the library; the user's line is on the stack of the call.

// withBegun is a set whose stacks of goroutines that requests began, through a library, go on at the user's line that
// began
// them.
func withBegun(r *Reading, set *stacks.Set) *stacks.Set {
	if set == nil {
		return nil
	}
	var out *stacks.Set
	for i := range set.Samples {
		s := &set.Samples[i]
		if _, u := r.Table.UserFrame(s.Stack); u >= 0 {
			continue
		}
		root := r.Table.Root(s.Stack)
		if root == stacks.NoFrame || r.Table.Func(root).Owner != stacks.Dependency {
			continue
		}
		above := r.begunAbove(r.Table.FuncID(root))
		if len(above) == 0 {
			continue
		}
		if out == nil {
			changed := *set
			out, changed.Samples = &changed, slices.Clone(set.Samples)
		}
		out.Samples[i].Stack = slices.Concat(s.Stack, above)
	}
	return cmp.Or(out, set)
}

// begunAbove is the stack, from the user's line on, of the requests that began the goroutines with a function of a
// library; none where an execution trace does not show them begun, and some of them ended: what the first request has
// begun, and the process keeps, is no request's.
func (r *Reading) begunAbove(fn stacks.FuncID) []stacks.FrameID {
	if above, ok := r.above.Load(fn); ok {
		return above.([]stacks.FrameID)
	}
	var above []stacks.FrameID
	if s, _ := r.Trace(); s != nil {
		if at, ok := requestBehind(r, s, r.Table.Funcs[fn].Name, furthestBegun); ok {
			above = stackAt(r, at)
		}
	}
	r.above.Store(fn, above)
	return above
}

// furthestBegun is how many goroutines may have begun one another between a request and a library's goroutine.
const furthestBegun = 4

// requestBehind is the user's line at which requests began most of the goroutines that start with a function, by
// themselves or through other goroutines of a library.
func requestBehind(r *Reading, s *traces.Summary, fn string, left int) (traces.Frame, bool) {
	var best *traces.GoroutinesFrom
	all := int64(0)
	for i := range s.Created {
		if c := &s.Created[i]; c.Starts == fn {
			all += c.Number
			if best == nil || c.Number > best.Number {
				best = c
			}
		}
	}
	if best == nil || best.Number-best.Alive < 2 || 2*best.Number <= all || len(best.Stack) == 0 {
		return traces.Frame{}, false
	}
	if servesTraced(best.Stack) {
		return r.TracedLine(best.Stack)
	}
	by := best.Stack[len(best.Stack)-1].Function
	if left <= 1 || by == fn {
		return traces.Frame{}, false
	}
	return requestBehind(r, s, by, left-1)
}

// stackAt is the stack of a request from a line of the user's on, as a profile shows it; none if none does.
func stackAt(r *Reading, at traces.Frame) []stacks.FrameID {
	for _, set := range slices.Concat(r.Best(casefile.CPU), r.All(casefile.Heap, casefile.Allocs),
		r.All(casefile.Goroutine)) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			id, u := r.Table.UserFrame(stack)
			if u > 0 && r.Table.Func(id).Name == at.Function && r.Table.Line(id) == at.Line &&
				serves(r.Table, stack[u:]) {
				return stack[u:]
			}
		}
	}
	return nil
}
