package facts

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

const (
	mostCosts = 8
	leastCost = 0.02 // of all CPU, or of all garbage
)

// addCosts adds what lines cost of CPU and of garbage.
func (b *builder) addCosts() {
	if b.costs == nil {
		b.addPlainCosts()
		return
	}
	for _, k := range b.costs.All[:min(len(b.costs.All), mostCosts)] {
		if k.Share >= leastCost {
			b.addCost(k)
		}
	}
}

// addCost adds what one line costs.
func (b *builder) addCost(k *cost.Cost) {
	var t text
	t.say("%s of the CPU is spent at %s", shareOf("share of cpu", k.Share), b.place(k.Line))
	if k.Enter != stacks.NoFrame {
		t.say(", in %s", shortName(b.r.Table.Func(k.Enter).Name))
	}
	if k.Garbage > 0 {
		t.say(" (%s in computing, and %s of all garbage)", shareOf("share of cpu in computing", k.CPU),
			shareOf("share of garbage", k.Garbage))
	}
	t.end()
	b.sayWay(&t, k)
	b.sayParts(&t, k)
	if !k.Enough() {
		t.say(" These are few samples.")
	}
	d := b.add(Cost, &t, b.weight.cpu*k.Share)
	d.line, d.Stacks = k.Line, b.costStacks(k)
	d.Bounds = []Bound{{"cpu", share(k.Share)}}
}

// sayWay says where on the way down the work splits.
func (b *builder) sayWay(t *text, k *cost.Cost) {
	if len(k.Way) < 2 {
		return
	}
	t.say(" Half of that or more is below %s", b.place(k.Way[len(k.Way)-1]))
	t.end()
}

// sayParts says how the work of a line is made up, as far as it is known.
func (b *builder) sayParts(t *text, k *cost.Cost) {
	parts := []struct {
		part  float64
		name  string
		words string
	}{
		{k.First, "first use", " %s of it is work that a value does at its first use, thrown away with it."},
		{k.Callers, "asks callers", " In %s of it a dependency asks who called it."},
		{k.Sorting, "in sorting", " %s of it is called back by a sort, and makes something of an element each time."},
		{k.Errors, "errors", " %s of its garbage is made in making errors."},
	}
	for _, p := range parts {
		if p.part >= leastPart {
			t.say(p.words, shareOf(p.name, p.part))
		}
	}
	if s := k.Step; s != nil {
		t.say(" %s of it is %s, which a caller could call once and keep for %s.", shareOf("step", s.Part),
			shortName(b.r.Table.Func(s.Does).Name), shortName(b.r.Table.Func(s.Uses).Name))
	}
	if w := k.Whole; w != nil {
		t.say(" Each request makes the whole of an object anew %s times at least, up to %s large, %s on average: "+
			"%s of the bytes below it.", count("times", w.Times), bytesOf("largest whole", w.Size),
			bytesOf("mean whole", w.Mean), shareOf("part of whole", w.Part))
	}
}

// leastPart is from which part of a line on it is said what it is.
const leastPart = 0.1

// costStacks are the heaviest stacks of a line.
func (b *builder) costStacks(k *cost.Cost) (out []Stack) {
	type weighed struct {
		stack []stacks.FrameID
		share float64
	}
	var all []weighed
	b.costs.Each(k, func(stack []stacks.FrameID, share float64) {
		for i := range all {
			if b.sameCalls(all[i].stack, stack) {
				all[i].share += share
				return
			}
		}
		if len(all) < mostCompared {
			all = append(all, weighed{slices.Clone(stack), share})
		}
	})
	slices.SortStableFunc(all, func(x, y weighed) int { return cmp.Compare(y.share, x.share) })
	for _, w := range all[:min(len(all), mostStacks)] {
		out = append(out, b.stack(w.stack, w.share/max(k.Share, 1e-9)))
	}
	return out
}

// mostCompared is how many different stacks of a line are told apart.
const mostCompared = 64

// sameCalls reports whether two stacks of a line have the same telling functions next to it.
func (b *builder) sameCalls(x, y []stacks.FrameID) bool {
	const near = 4
	for i := 1; i <= near; i++ {
		if i > len(x) || i > len(y) {
			return len(x) == len(y)
		}
		if b.funcOf(x[len(x)-i]) != b.funcOf(y[len(y)-i]) {
			return false
		}
	}
	return true
}

// cpu is the CPU profile of the trouble, with its weight; nil without one.
func (b *builder) cpu() (*stacks.Set, stacks.Weight, float64) {
	set := stacks.Merge(b.r.Best(casefile.CPU))
	if set == nil {
		return nil, nil, 0
	}
	ns := stacks.ByValue(set.Value("cpu", "nanoseconds"))
	weight := func(s *stacks.Sample) int64 {
		if s.Class == stacks.GCIdle {
			return 0
		}
		return ns(s)
	}
	return set, weight, float64(set.Total(weight))
}

// addPlainCosts adds what lines take of a CPU profile that is too short to be judged.
func (b *builder) addPlainCosts() {
	set, weight, total := b.cpu()
	if set == nil || total <= 0 {
		return
	}
	const most = 4
	lines := stacks.SumBy(set, weight, b.r.OwnLine)
	for _, e := range lines[:min(len(lines), most)] {
		part := share(float64(e.Value) / total)
		if part < leastPlain || e.Value < leastTicks {
			return
		}
		var t text
		t.say("%s of the CPU is spent at %s, in a profile with little in it: %s", shareOf("share of cpu", part),
			b.place(e.Key), secondsOf("cpu in the profile", total/1e9))
		t.end()
		d := b.add(Cost, &t, b.weight.cpu*part)
		d.line = e.Key
		d.Stacks = []Stack{b.stack(set.Heaviest(weight, func(s *stacks.Sample) bool {
			at, ok := b.r.OwnLine(s)
			return ok && at == e.Key
		}), part)}
		d.Bounds = []Bound{{"cpu", part}}
	}
}

const (
	leastPlain = 0.1
	leastTicks = 5e7 // ns: five ticks of 100 Hz, which are known within a factor of two
)

// addGarbage adds who makes most of what is allocated, where no cost says so.
func (b *builder) addGarbage() {
	set := b.r.Gained(casefile.Heap, casefile.Allocs)
	since := "between two profiles"
	if set == nil && b.heap != nil {
		set, since = b.heap.Last, "since the start"
	}
	if set == nil || set.Value("alloc_space", "bytes") < 0 {
		return
	}
	const most = 3
	space := stacks.ByValue(set.Value("alloc_space", "bytes"))
	objects := stacks.ByValue(set.Value("alloc_objects", "count"))
	all := float64(set.Total(space))
	lines, numbers := stacks.SumBy(set, space, b.r.OwnLine), make(map[stacks.FrameID]int64)
	for _, e := range stacks.SumBy(set, objects, b.r.OwnLine) {
		numbers[e.Key] = e.Value
	}
	for _, e := range lines[:min(len(lines), most)] {
		part := share(float64(e.Value) / all)
		if part < leastGarbage || e.Value < leastAllocated {
			return
		}
		if d := b.costAt(e.Key); d != nil {
			b.sayAllocated(d, set, since, e.Value, numbers[e.Key])
			continue
		}
		var t text
		t.say("%s of all bytes allocated %s (%s in %s objects) was allocated at %s",
			shareOf("share of allocated bytes", part), since, bytesOf("allocated", float64(e.Value)),
			count("objects allocated", numbers[e.Key]), b.place(e.Key))
		if set.Seconds > 0 {
			t.say(", in %s", secondsOf("between profiles", set.Seconds))
		}
		t.end()
		d := b.add(Cost, &t, b.weight.cpu*part*max(b.collector(), leastWeight))
		d.Stacks = []Stack{b.stack(set.Heaviest(space, func(s *stacks.Sample) bool {
			at, ok := b.r.OwnLine(s)
			return ok && at == e.Key
		}), part)}
		d.Bounds = []Bound{{"cpu", share(part*b.collector() + b.cpuOf(e.Key))}}
	}
}

// addTransient adds who allocated what fills the memory, where little of what Go holds is alive: garbage that is not
// collected yet, or room for it that was not given back.
func (b *builder) addTransient() {
	if b.heap == nil || b.heap.Last.Value("alloc_space", "bytes") < 0 {
		return
	}
	held, live := b.mean(vitals.GoMemory), b.heap.Now.Bytes
	if at := b.r.ValueAt(vitals.GoMemory, b.r.TroubleAt()); at != nil {
		held = max(held, *at)
	}
	if held < largeHeap/4 || notLive*live > held {
		return
	}
	const most = 2
	space := stacks.ByValue(b.heap.Last.Value("alloc_space", "bytes"))
	all, lines := float64(b.heap.Last.Total(space)), stacks.SumBy(b.heap.Last, space, b.r.OwnLine)
	for _, e := range lines[:min(len(lines), most)] {
		part := share(float64(e.Value) / all)
		if part < leastTransient {
			return
		}
		var t text
		t.say("Go holds %s of memory, and %s of that is live. %s of all bytes ever allocated (%s) was allocated at %s",
			bytesOf("held by Go", held), bytesOf("live heap", live), shareOf("share of allocated bytes", part),
			bytesOf("allocated", float64(e.Value)), b.place(e.Key))
		t.end()
		d := b.add(Hold, &t, b.weight.memory*part*share(1-live/held))
		d.Stacks = []Stack{b.stack(b.heap.Last.Heaviest(space, func(s *stacks.Sample) bool {
			at, ok := b.r.OwnLine(s)
			return ok && at == e.Key
		}), part)}
		d.Bounds = []Bound{{"memory", share(part * (1 - live/held))}}
	}
}

const (
	notLive        = 3    // times what is live: twice is what the collector leaves room for (GOGC=100)
	leastTransient = 0.25 // of all bytes ever allocated
)

// costAt is the cost that is a fact at a line; nil for none.
func (b *builder) costAt(line stacks.FrameID) *draft {
	for _, d := range b.drafts {
		if d.Sort == Cost && d.line == line {
			return d
		}
	}
	return nil
}

// sayAllocated adds to a cost what its line allocated.
func (b *builder) sayAllocated(d *draft, set *stacks.Set, since string, bytes, objects int64) {
	var t text
	t.say(" %s in %s objects was allocated there %s", bytesOf("allocated", float64(bytes)),
		count("objects allocated", objects), since)
	if set.Seconds > 0 {
		t.say(", in %s", secondsOf("between profiles", set.Seconds))
	}
	t.end()
	d.Text += t.b.String()
	d.Numbers = append(d.Numbers, t.numbers...)
}

const (
	leastGarbage   = 0.1
	leastAllocated = 1 << 20 // bytes: less is two samples
)

// cpuOf is what a line takes of the CPU.
func (b *builder) cpuOf(line stacks.FrameID) float64 {
	if b.costs == nil {
		return 0
	}
	if k := b.costs.Of(line); k != nil {
		return k.Share
	}
	return 0
}

// collector is the part of the CPU that the collector takes, allocating included.
func (b *builder) collector() float64 {
	set, weight, total := b.cpu()
	if set == nil || total <= 0 {
		v, _ := b.r.Mean(vitals.GCCPU)
		return share(v)
	}
	return share(float64(set.Total(func(s *stacks.Sample) int64 {
		if s.Class.GC() || s.Class == stacks.Malloc {
			return weight(s)
		}
		return 0
	})) / total)
}

// addRuntimeCosts adds what is spent on stacks without a line of the program or of a dependency, by the runtime's
// function that most of it is below.
func (b *builder) addRuntimeCosts() {
	set, weight, total := b.cpu()
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
	all := int64(0)
	for s, n := range set.Counted(w) {
		all += n
		seen := make(map[stacks.FuncID]bool, len(s.Stack))
		for i, id := range slices.Backward(s.Stack) {
			if fn := b.funcOf(id); !seen[fn] {
				seen[fn] = true
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
