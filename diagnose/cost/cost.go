// Package cost says, from CPU and heap profiles, what hangs on each line of a program, and how its work is made up.
//
// The problem: a profile shows what a line costs, and "do it less often" is the answer to any of them. What to write
// instead depends on what happens below the line: whether the same is prepared each time, the whole is made again for
// each part, or a large input is read. The approach: one Cost a line, with
// its CPU and its garbage in one currency, the way down to where the work splits, and the numbers and sizes of the
// objects that a heap profile counts since the process began. Nothing here judges; kinds of findings are rows over
// these facts. docs/evidence/costs.md has their formulas.
//
// Limits: both profiles are samples, and what allocates nothing is not counted. How many requests there were is known
// for HTTP and gRPC only, and no better than an upper bound.
package cost

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Evidence is what costs are computed from.
type Evidence struct {
	Table *stacks.Table

	CPU    *stacks.Set
	Weight stacks.Weight // ns of the CPU profile's samples; 0 for what counts for nobody
	Total  float64       // ns, the collector's included
	// At is the position on a stack of the line that it hangs on; -1 for none.
	At func(stack []stacks.FrameID) int

	Garbage   *stacks.Set   // nil: there is no heap profile of enough garbage
	Bytes     stacks.Weight // of garbage
	AllBytes  float64
	Collector float64 // share of all CPU that garbage costs

	Heap *stacks.Set // allocations since the start, for numbers and sizes of objects; nil: none
}

// A Cost is what hangs on one line.
type Cost struct {
	Line  stacks.FrameID
	Enter stacks.FrameID // what the line calls for most of it; NoFrame if it works itself

	CPU     float64 // share of all, without the collector's
	Garbage float64 // share of the garbage
	Share   float64 // of all CPU, with the collector's for the garbage
	ns      float64
	sorting float64 // ns
	bytes   float64 // of garbage
	errors  float64 // bytes of garbage
	ticks   float64

	// Way is what takes half of the line or more below it, each frame called by the one before.
	Way []stacks.FrameID
	// First is the part of the line's CPU below the slow path of a sync.Once in a dependency: work that a value does at
	// its first use. It is 0 if what was made there since the start is alive for the most part: then it was done once.
	First float64
	// Callers is the part of the line's CPU in which a dependency asks who called it: for the stack of an error, of a
	// span or a lock, if it writes no log line.
	Callers float64
	// Sorting is the part of the line's CPU that a sort calls back, and in which something is made of an element, again
	// and again.
	Sorting float64
	// Errors is the part of the line's garbage that is made in making an error.
	Errors float64
	// Asks are the packages of the standard library's that a dependency below the line calls for half of the line's CPU
	// or of its garbage, or more.
	Asks []string

	Step  *Step  // nil: none is seen
	Whole *Whole // nil: none is seen

	samples []below
}

// A below is a sample that hangs on a line.
type below struct {
	stack []stacks.FrameID // below the line, the leaf first
	ns    float64
}

// Costs are all costs of a case.
type Costs struct {
	All      []*Cost // the largest share first
	Requests Requests

	e       Evidence
	at      map[stacks.FrameID]*Cost
	objects []*objects // that a dependency or the user's code made, a stack each
	garbage func() map[stacks.FrameID][]made
}

// New computes the costs of lines that take CPU.
func New(e Evidence) *Costs {
	c := &Costs{e: e, at: make(map[stacks.FrameID]*Cost)}
	c.garbage = sync.OnceValue(c.garbageOf)
	c.addCPU()
	c.addGarbage()
	for _, k := range c.All {
		k.CPU = k.ns / e.Total
		k.Share = k.CPU + k.Garbage*e.Collector
	}
	slices.SortStableFunc(c.All, func(a, b *Cost) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Line, b.Line))
	})
	if e.Heap != nil {
		c.count()
	}
	for _, k := range c.All[:min(len(c.All), looked)] {
		c.look(k)
	}
	return c
}

// looked is how many lines are looked at: what is behind them is worth no finding.
const looked = 8

func (c *Costs) addCPU() {
	ticks := stacks.ByValue(c.e.CPU.Value("samples", "count"))
	for i := range c.e.CPU.Samples {
		s := &c.e.CPU.Samples[i]
		w := float64(c.e.Weight(s))
		if w <= 0 || s.Class.GC() {
			continue
		}
		if at := c.e.At(s.Stack); at >= 0 {
			k := c.cost(s.Stack[at])
			k.ns += w
			if c.e.Table.Has(s.Stack[at+1:], doing(known.Sorts)) && Derives(c.e.Table, s, at) {
				k.sorting += w
			}
			k.ticks += float64(max(ticks(s), 0))
			k.samples = append(k.samples, below{s.Stack[:at], w})
		}
	}
}

// addGarbage adds the garbage of lines that take CPU: without it, it is of another time.
func (c *Costs) addGarbage() {
	if c.e.Garbage == nil {
		return
	}
	for i := range c.e.Garbage.Samples {
		s := &c.e.Garbage.Samples[i]
		w := float64(c.e.Bytes(s))
		if w <= 0 {
			continue
		}
		at := c.e.At(s.Stack)
		if at < 0 || c.at[s.Stack[at]] == nil {
			continue
		}
		k := c.at[s.Stack[at]]
		k.Garbage += w / c.e.AllBytes
		k.bytes += w
		if c.e.Table.Has(s.Stack[:at], doing(known.MakesError, known.FailsToParse)) {
			k.errors += w
		}
	}
}

// Derives reports whether a sample is in what the line at a position makes of what it is given: comparing two values
// that are there makes nothing, and calls nothing else.
func Derives(t *stacks.Table, s *stacks.Sample, at int) bool {
	return s.Class == stacks.Malloc || s.Class == stacks.Map || t.Has(s.Stack[:at], func(f *stacks.Func) bool {
		return f.Owner != stacks.Runtime && !f.Does(known.Compares)
	})
}

// doing matches functions that do one of some works.
func doing(works ...known.Work) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return f.Does(works...) }
}

func (c *Costs) cost(line stacks.FrameID) *Cost {
	k := c.at[line]
	if k == nil {
		k = &Cost{Line: line, Enter: stacks.NoFrame}
		c.at[line] = k
		c.All = append(c.All, k)
	}
	return k
}

// leastTicks is the minimum of CPU samples for a judgement: ten have an error of ±60 % at 95 %.
const leastTicks = 10

// Enough reports whether the samples allow a judgement.
func (k *Cost) Enough() bool { return k.ticks >= leastTicks }

// OfDependency reports whether the line calls a dependency for most of what it costs: then neither the algorithm nor
// the memory is its author's.
func (k *Cost) OfDependency(t *stacks.Table) bool {
	return k.Enter != stacks.NoFrame && t.Func(k.Enter).Owner == stacks.Dependency
}

// Of is the cost of a line; nil if it takes no CPU.
func (c *Costs) Of(line stacks.FrameID) *Cost { return c.at[line] }

// look finds how the work below a line is made up.
func (c *Costs) look(k *Cost) {
	k.Way = c.way(k)
	if len(k.Way) > 0 {
		k.Enter = k.Way[0]
	}
	k.First = c.firstUses(k)
	k.Callers = c.Doing(k, known.AsksCallers)
	k.Sorting = k.sorting / k.ns
	k.Errors = k.errors / max(k.bytes, 1)
	k.Asks = c.asks(k)
	k.Step = c.step(k)
	if c.e.Heap != nil {
		k.Whole = c.whole(k)
	}
}

// deepest is how far a way is followed.
const deepest = 40

// way goes down from a line as long as one callee has half of it.
func (c *Costs) way(k *Cost) (out []stacks.FrameID) {
	t := c.e.Table
	on := k.samples
	for depth := 1; depth <= deepest; depth++ {
		sums, lines := make(map[stacks.FuncID]float64), make(map[stacks.FrameID]float64)
		for _, b := range on {
			if len(b.stack) >= depth {
				id := b.stack[len(b.stack)-depth]
				sums[t.FuncID(id)] += b.ns
				lines[id] += b.ns
			}
		}
		best, ns := largest(sums)
		if 2*ns < k.ns || best < 0 || t.Funcs[best].Owner == stacks.Runtime {
			return out
		}
		at := stacks.NoFrame
		for id, ns := range lines {
			if t.FuncID(id) == best && (at == stacks.NoFrame || ns > lines[at] || ns == lines[at] && id < at) {
				at = id
			}
		}
		out = append(out, at)
		on = slices.DeleteFunc(slices.Clone(on), func(b below) bool {
			return len(b.stack) < depth || t.FuncID(b.stack[len(b.stack)-depth]) != best
		})
	}
	return out
}

// largest is the function with the most of something; -1 for none.
func largest(of map[stacks.FuncID]float64) (best stacks.FuncID, most float64) {
	best = -1
	for fn, w := range of {
		if best < 0 || w > most || w == most && fn < best {
			best, most = fn, w
		}
	}
	return best, most
}

// firstUses is the part of a line that values do at their first use and that is thrown away with them.
func (c *Costs) firstUses(k *Cost) (part float64) {
	for _, b := range k.samples {
		if c.first(b.stack) {
			part += b.ns / k.ns
		}
	}
	if part == 0 || c.e.Heap == nil {
		return 0
	}
	made, alive := 0.0, 0.0
	bytes, inuse := stacks.ByValue(c.e.Heap.Value("alloc_space", "bytes")),
		stacks.ByValue(c.e.Heap.Value("inuse_space", "bytes"))
	for i := range c.e.Heap.Samples {
		s := &c.e.Heap.Samples[i]
		if at := c.e.At(s.Stack); at >= 0 && s.Stack[at] == k.Line && c.first(s.Stack[:at]) {
			made, alive = made+float64(bytes(s)), alive+float64(inuse(s))
		}
	}
	if made == 0 || 2*alive > made {
		return 0
	}
	return part
}

// first reports whether a dependency does on a stack what it does once for each value, or for the process.
func (c *Costs) first(stack []stacks.FrameID) bool {
	for i := 1; i < len(stack); i++ {
		if c.e.Table.Func(stack[i]).Does(known.RunsOnce) {
			return c.e.Table.Func(stack[i-1]).Owner == stacks.Dependency
		}
	}
	return false
}

// Doing is the part of a line's CPU below which a work is done.
func (c *Costs) Doing(k *Cost, work known.Work) (part float64) {
	for _, b := range k.samples {
		if c.e.Table.Has(b.stack, doing(work)) {
			part += b.ns / k.ns
		}
	}
	return part
}

// Each are the stacks of a line, which it ends, with what they take: parts of all CPU, with the collector's for their
// garbage.
func (c *Costs) Each(k *Cost, yield func(stack []stacks.FrameID, share float64)) {
	for _, b := range k.samples {
		yield(b.stack[:len(b.stack)+1], b.ns/c.e.Total)
	}
	for _, b := range c.garbage()[k.Line] {
		yield(b.stack, b.bytes/c.e.AllBytes*c.e.Collector)
	}
}

// A made is a sample of garbage on a line's stack, which the line ends.
type made struct {
	stack []stacks.FrameID
	bytes float64
}

// garbageOf has the garbage of all lines.
func (c *Costs) garbageOf() map[stacks.FrameID][]made {
	out := make(map[stacks.FrameID][]made)
	if c.e.Garbage == nil {
		return out
	}
	for i := range c.e.Garbage.Samples {
		s := &c.e.Garbage.Samples[i]
		if at := c.e.At(s.Stack); at >= 0 {
			line := s.Stack[at]
			out[line] = append(out[line], made{s.Stack[:at+1], float64(max(c.e.Bytes(s), 0))})
		}
	}
	return out
}

// asks are the packages that a dependency calls for half of a line.
func (c *Costs) asks(k *Cost) (out []string) {
	cpu, garbage := make(map[string]float64), make(map[string]float64)
	for _, b := range k.samples {
		cpu[c.asked(b.stack)] += b.ns
	}
	for _, b := range c.garbage()[k.Line] {
		garbage[c.asked(b.stack[:len(b.stack)-1])] += b.bytes
	}
	for pkg := range cpu {
		if pkg != "" && (2*cpu[pkg] > k.ns || 2*garbage[pkg] > k.bytes) {
			out = append(out, pkg)
		}
	}
	slices.Sort(out)
	return out
}

// asked is the package of the standard library's that a dependency calls on a stack; "" for none.
func (c *Costs) asked(stack []stacks.FrameID) string {
	for i := len(stack) - 1; i > 0; i-- {
		if c.e.Table.Func(stack[i]).Owner == stacks.Dependency {
			if f := c.e.Table.Func(stack[i-1]); f.Owner == stacks.Std {
				return f.Package
			}
		}
	}
	return ""
}
