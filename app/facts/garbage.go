package facts

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
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
	if b.cpu.total <= 0 {
		return share(b.mean(vitals.GCCPU))
	}
	return b.cpu.part(func(s *stacks.Sample) bool { return s.Class.GC() || s.Class == stacks.Malloc })
}
