package heat

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A charge is how the samples of one profile are charged.
type charge struct {
	set    *stacks.Set
	values []value
}

// A value is one of a sample's values.
type value struct {
	measure Measure
	column  Measure // of shares
	weight  stacks.Weight
	total   float64 // of the set
}

// minAllocated is how many sampled allocations the difference of two heap profiles needs, so that it says more than the
// later one alone, in which everything since the process began counts: as many as the ticks that a CPU profile needs.
const minAllocated = 100

// charges decides which profiles count, and for what.
func charges(sets []*stacks.Set) (out []charge) {
	of := func(kinds ...string) (some []*stacks.Set) {
		for _, s := range sets {
			for _, k := range kinds {
				if s.Kind == k {
					some = append(some, s)
				}
			}
		}
		return some
	}
	if s := stacks.Merge(of(casefile.CPU)); s != nil {
		out = append(out, onCPU(s))
	}
	if s := allocated(of(casefile.Heap, casefile.Allocs)); s != nil {
		out = append(out, charge{set: s, values: []value{newValue(s, AllocBytes, "alloc_space", "bytes"),
			newValue(s, AllocObjects, "alloc_objects", "count")}})
	}
	if s := latest(of(casefile.Heap)); s != nil && s.Seconds == 0 && s.Value("inuse_space", "bytes") >= 0 {
		out = append(out, charge{set: s, values: []value{newValue(s, LiveBytes, "inuse_space", "bytes")}})
	}
	if s := gained(of(casefile.Mutex)); s != nil {
		out = append(out, charge{set: s, values: []value{newValue(s, Wait, "delay", "nanoseconds")}})
	}
	if s := gained(of(casefile.Block)); s != nil {
		out = append(out, onBlock(s))
	}
	return out
}

func newValue(s *stacks.Set, m Measure, typ, unit string) value {
	w := stacks.ByValue(s.Value(typ, unit))
	return value{measure: m, column: m, weight: w, total: float64(s.Total(w))}
}

// onBlock is how a block profile is charged. A goroutine that waits in the function that it was started with waits for
// work: nobody pays for that, and it is most of such a profile.
func onBlock(s *stacks.Set) charge {
	v := newValue(s, Wait, "delay", "nanoseconds")
	all := v.weight
	v.column = blocked
	v.weight = func(sample *stacks.Sample) int64 {
		if isIdle(s.Table, sample.Stack) {
			return 0
		}
		return all(sample)
	}
	v.total = float64(s.Total(v.weight))
	return charge{set: s, values: []value{v}}
}

// isIdle reports whether the function with which a goroutine began is the one that waits.
func isIdle(t *stacks.Table, stack []stacks.FrameID) bool {
	first := -1
	for i, f := range stack {
		if o := t.Func(f).Owner; o == stacks.User || o == stacks.Dependency {
			first = i
			break
		}
	}
	if first < 0 {
		return true
	}
	for _, f := range stack[first+1:] {
		if t.Func(f).Owner != stacks.Runtime {
			return false
		}
	}
	return true
}

// onCPU is how a CPU profile is charged. Those by eBPF count ticks only.
func onCPU(s *stacks.Set) charge {
	i := s.Value("cpu", "nanoseconds")
	if i < 0 {
		i = s.Value("samples", "count")
	}
	all := stacks.ByValue(i)
	w := func(sample *stacks.Sample) int64 {
		if sample.Class == stacks.GCIdle {
			return 0
		}
		return all(sample)
	}
	return charge{set: s, values: []value{{measure: CPU, column: CPU, weight: w, total: float64(s.Total(w))}}}
}

// allocated is what says best where memory is allocated: what two heap profiles differ by, if that is enough to tell,
// otherwise the last one, which counts since the process began. nil without any.
func allocated(sets []*stacks.Set) *stacks.Set {
	some := sets[:0:0]
	for _, s := range sets {
		if s.Value("alloc_space", "bytes") >= 0 {
			some = append(some, s)
		}
	}
	s := gained(some)
	if s == nil || len(s.Parts) == 0 {
		return s
	}
	c := charge{set: s}
	if c.samples(newValue(s, AllocBytes, "alloc_space", "bytes")) < minAllocated {
		return latest(some)
	}
	return s
}

// gained is what the earliest and the latest of some cumulative profiles differ by, the latest where they cannot be
// compared or nothing was gained; nil without any.
func gained(sets []*stacks.Set) *stacks.Set {
	last := latest(sets)
	if last == nil || last.Seconds > 0 {
		return last
	}
	first := last
	for _, s := range sets {
		if s.Seconds == 0 && s.Taken.Before(first.Taken) {
			first = s
		}
	}
	if first == last || first.Taken.IsZero() {
		return last
	}
	diff, ok := stacks.Subtract(last, first)
	if !ok || len(diff.Samples) == 0 {
		return last
	}
	return diff
}

// latest is the last profile that was taken; nil without any.
func latest(sets []*stacks.Set) (last *stacks.Set) {
	for _, s := range sets {
		if last == nil || !s.Taken.Before(last.Taken) {
			last = s
		}
	}
	return last
}

// cost is what a sample costs; some is false for one that costs nothing.
func (c *charge) cost(s *stacks.Sample) (cost shares, some bool) {
	for _, v := range c.values {
		if w := v.weight(s); w > 0 && v.total > 0 {
			cost[v.column] += float64(w) / v.total
			some = true
		}
	}
	return cost, some
}

// samples is about how many samples a value is made of.
func (c *charge) samples(v value) float64 {
	n := func(typ string) float64 {
		return float64(c.set.Total(stacks.ByValue(c.set.Value(typ, "count"))))
	}
	switch v.measure {
	case CPU:
		return n("samples")
	case Wait:
		return n("contentions")
	}
	const defaultRate = 512 << 10 // runtime.MemProfileRate when nobody changes it
	rate := float64(c.set.Period)
	if rate <= 0 {
		rate = defaultRate
	}
	if v.measure == LiveBytes {
		return min(v.total/rate, n("inuse_objects"))
	}
	bytes := float64(c.set.Total(stacks.ByValue(c.set.Value("alloc_space", "bytes"))))
	return min(bytes/rate, n("alloc_objects"))
}
