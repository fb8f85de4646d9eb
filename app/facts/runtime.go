package facts

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// addRuntimeCosts adds what is spent on stacks without a line of the program or of a dependency, by the runtime's
// function that most of it is below.
func (b *builder) addRuntimeCosts() {
	set, weight, total := b.cpu.set, b.cpu.weight, b.cpu.total
	if set == nil || total <= 0 {
		return
	}
	if total < leastProfiled {
		return
	}
	own := func(s *stacks.Sample) int64 {
		if s.Class.GC() || b.ownLine(s.Stack) != stacks.NoFrame || b.capturing(s.Stack) {
			return 0
		}
		return weight(s)
	}
	all := float64(set.Total(own))
	if all < leastRuntime*total {
		return
	}
	var t text
	t.say("%s of the CPU is spent by Go's runtime and standard library on stacks without a line of the program",
		shareOf("share of cpu", all/total))
	below := b.belowRuntime(set, own)
	sep := ": "
	for _, e := range below {
		t.say("%s%s below %s", sep, shareOf("below "+shortName(b.r.Table.Funcs[e.Key].Name), float64(e.Value)/total),
			shortName(b.r.Table.Funcs[e.Key].Name))
		sep = ", "
	}
	t.end()
	d := b.add(Cost, &t, b.weight.cpu*all/total*runtimePart)
	if len(below) > 0 {
		d.Stacks = []Stack{b.runtimeStack(set.Heaviest(own, func(s *stacks.Sample) bool {
			return slices.ContainsFunc(s.Stack, func(id stacks.FrameID) bool { return b.funcOf(id) == below[0].Key })
		}), float64(below[0].Value)/all)}
	}
	d.Bounds = []Bound{{"cpu", share(all / total)}}
}

// capturing reports whether a stack is that of a capture.
func (b *builder) capturing(stack []stacks.FrameID) bool {
	return b.r.Table.Has(stack, func(f *stacks.Func) bool { return f.TakesProfiles() || f.Watches() })
}

// leastProfiled is how much CPU a profile needs for its shares to mean something: 30 ticks of 100 Hz.
const leastProfiled = 3e8 // ns

const (
	leastRuntime = 0.15 // every process has some scheduling
	runtimePart  = 0.4  // of the harm of a line with the same CPU: it follows from what the program does
)

// belowRuntime are the functions below which a third of some samples are, or more: the three that are furthest in.
func (b *builder) belowRuntime(set *stacks.Set, w stacks.Weight) (out []stacks.Entry[stacks.FuncID]) {
	const most = 3
	sum, depth := make(map[stacks.FuncID]int64), make(map[stacks.FuncID]float64)
	all, stacksSeen := int64(0), 0
	seen := make([]int, len(b.r.Table.Funcs)) // the last stack that had a function
	for s, n := range set.Counted(w) {
		all += n
		stacksSeen++
		for i, id := range slices.Backward(s.Stack) {
			if fn := b.funcOf(id); fn >= 0 && seen[fn] != stacksSeen {
				seen[fn] = stacksSeen
				sum[fn] += n
				depth[fn] += float64(n) * float64(len(s.Stack)-i)
			}
		}
	}
	for fn, n := range sum {
		if 3*n >= all {
			out = append(out, stacks.Entry[stacks.FuncID]{Key: fn, Value: n})
		}
	}
	slices.SortFunc(out, func(x, y stacks.Entry[stacks.FuncID]) int {
		deep := func(e stacks.Entry[stacks.FuncID]) float64 { return depth[e.Key] / float64(e.Value) }
		return cmp.Or(cmp.Compare(deep(y), deep(x)), cmp.Compare(x.Key, y.Key))
	})
	return out[:min(len(out), most)]
}

// runtimeStack is a stack of the runtime's, whose frames are what there is to tell.
func (b *builder) runtimeStack(ids []stacks.FrameID, of float64) Stack {
	const most = 6
	out := Stack{Share: share(of)}
	for _, id := range ids[:min(len(ids), most)] {
		out.Frames = append(out.Frames, b.frame(id))
	}
	return out
}
