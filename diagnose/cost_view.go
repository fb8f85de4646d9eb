package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A costView is what every row costs, found in one walk over each profile.
type costView struct {
	cpu     *cpuView // nil when it is missing or too short to judge
	garbage garbage  // set is nil without a heap profile of enough garbage
	collect float64  // share of all CPU that garbage costs
	lines   map[string][]*lineCost

	x      *costIndex
	byLine map[costKey]*lineCost
	direct map[stacks.FrameID]*directCost // what lines allocate themselves
	// functions are what the user's functions do themselves
	functions map[stacks.FuncID]*aFunction
	loops     loops
	yield     float64 // ns of the scheduler's time slices: no line is above it
	spins     bool    // it is attributed to a line
}

type costKey struct {
	kind int
	line stacks.FrameID
}

// A directCost is what a line allocated itself, by the runtime: a heap profile does not say how.
type directCost struct{ bytes, objects, garbage, malloc float64 }

// countedSamples of the CPU are enough where the kernel has counted what they are about: many calls on files that move
// little each.
const countedSamples = 40

func newCostView(r *Reading) *costView {
	c := &costView{x: newCostIndex(r.Table, costKinds()), lines: map[string][]*lineCost{},
		byLine: map[costKey]*lineCost{},
		direct: map[stacks.FrameID]*directCost{}, functions: map[stacks.FuncID]*aFunction{}, loops: loops{}}
	if v := r.cpu(); v != nil {
		if v.level.idle() {
			return c
		}
		if v.enough() || v.samples >= countedSamples && smallFilePieces(r) {
			c.cpu = v
			c.learnLoggers()
			c.addCPU()
		}
	}
	if hasKinds(r, []string{casefile.Heap, casefile.Allocs}) {
		c.addGarbage(r)
	}
	c.resolveMakers(r)
	c.resolveDirect()
	c.resolveKeys()
	c.resolveCompanions()
	c.resolveSpin(r)
	c.resolvePolls()
	c.resolveClocks()
	c.resolveSelects()
	c.resolveLoops()
	c.resolveMapWalks(r)
	c.collectLines()
	return c
}

func (c *costView) at(kind int, line stacks.FrameID) *lineCost {
	k := costKey{kind, line}
	l := c.byLine[k]
	if l == nil {
		l = &lineCost{line: line, calls: map[stacks.FrameID]float64{}, vias: map[stacks.FrameID]float64{}}
		c.byLine[k] = l
	}
	return l
}

func (c *costView) directAt(line stacks.FrameID) *directCost {
	d := c.direct[line]
	if d == nil {
		d = &directCost{}
		c.direct[line] = d
	}
	return d
}

// addCPU walks the CPU profile.
func (c *costView) addCPU() {
	v, ticks := c.cpu, stacks.ByValue(c.cpu.set.Value("samples", "count"))
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		w := float64(v.weight(s))
		if w <= 0 || s.Class.GC() {
			continue
		}
		own := false // the line itself allocates
		if s.Class == stacks.Malloc {
			id, u := c.x.t.UserFrame(s.Stack)
			if own = u >= 0 && c.x.runtimeOnly(s.Stack[:u]); own {
				c.directAt(id).malloc += w
			}
		}
		in := c.own(s, w)
		c.loops.add(c.x.t, s, w, float64(max(ticks(s), 0)))
		if isYield(c.x.t, s.Stack) {
			c.yield += w
		}
		h, ok := c.x.find(s)
		if !ok || !c.x.allows(s, h.kind) || c.x.delivers(s.Stack, h) || c.x.walks(s.Stack, h) {
			continue
		}
		l := c.at(h.kind, h.line)
		l.cpu += w / v.total
		if in != nil && in == c.functions[c.x.t.FuncID(h.line)] {
			l.own += w / v.total
		}
		l.ticks += float64(max(ticks(s), 0))
		l.calls[h.call] += w
		l.vias[h.via] += w
		if c.x.hasAny(c.x.slow[h.kind], s.Stack) {
			l.slow += w / v.total
		}
		if c.x.derives(s, h) {
			l.derived += w / v.total
		}
		l.names = l.names || c.x.t.Has(s.Stack, withWork(known.NamesCallers))
		if c.x.hasAny(c.x.least[h.kind], s.Stack) {
			l.least += w / v.total
		}
		if own {
			l.malloc += w
		}
	}
}

// runtimeOnly reports whether all frames are the runtime's.
func (x *costIndex) runtimeOnly(stack []stacks.FrameID) bool {
	for _, id := range stack {
		if x.t.Func(id).Owner != stacks.Runtime {
			return false
		}
	}
	return true
}

// addGarbage walks the heap profile. If the profile counts since the process started, a line without CPU now is left
// out: it made its garbage during start-up.
func (c *costView) addGarbage(r *Reading) {
	g := newGarbage(r)
	if g.total < minGarbage {
		return
	}
	c.garbage = g
	if c.cpu != nil {
		c.collect = collectShare(r, c.cpu)
	}
	allocated, live := stacks.ByValue(g.set.Value("alloc_objects", "count")),
		stacks.ByValue(g.set.Value("inuse_objects", "count"))
	for i := range g.set.Samples {
		s := &g.set.Samples[i]
		bytes := float64(g.weight(s))
		if bytes <= 0 {
			continue
		}
		objects := float64(max(allocated(s)-max(live(s), 0), 1))
		if id, u := c.x.t.UserFrame(s.Stack); u == 0 {
			d := c.directAt(id)
			d.bytes, d.objects, d.garbage = d.bytes+bytes, d.objects+objects, d.garbage+bytes/g.total
			c.function(id).garbage += bytes / g.total
			continue
		}
		if h, ok := c.x.findHeap(s); ok && !c.x.walks(s.Stack, h) {
			c.addGarbageAt(h, bytes, objects)
		}
	}
}

func (c *costView) addGarbageAt(h hit, bytes, objects float64) {
	if _, now := c.byLine[costKey{h.kind, h.line}]; !now && !c.garbage.diff && c.cpu != nil {
		return
	}
	l := c.at(h.kind, h.line)
	l.bytes += bytes
	l.objects += objects
	l.garbage += bytes / c.garbage.total
	if c.cpu == nil {
		l.calls[h.call] += bytes
		l.vias[h.via] += bytes
	}
}

// collectShare is the share of CPU that the collector takes because of garbage. If a million objects or more are live,
// they make marking expensive, and only sweeping and starting cycles are attributed to garbage.
func collectShare(r *Reading, v *cpuView) float64 {
	if r.heap().liveObjects >= pointerHeapScale().Worth {
		return v.share(stacks.GCSweep, stacks.GCOther)
	}
	return v.gcShare()
}

// resolveDirect attributes what lines allocated themselves to rows, in proportion to the CPU that each row's calls took
// in allocating at the line: only a CPU profile shows what the runtime was asked for.
func (c *costView) resolveDirect() {
	for k, l := range c.byLine {
		d := c.direct[k.line]
		if d == nil || !c.x.kinds[k.kind].match.own || d.malloc <= 0 || d.bytes <= 0 {
			continue
		}
		part := min(l.malloc/d.malloc, 1)
		l.bytes += part * d.bytes
		l.objects += part * d.objects
		l.garbage += part * d.garbage
	}
	for _, l := range c.byLine {
		l.gc = l.garbage * c.collect
	}
	c.resolveSizes()
}

// resolveCompanions moves costs that are part of another row's cost at the same line to that row: boxing to the
// formatting or logging that needs it, and filling a map to building it, if building takes at least a quarter of the
// two: a map that is kept rarely grows.
func (c *costView) resolveCompanions() {
	boxing, access, build := c.row("alloc-boxing"), c.row("cpu-map-hash"), c.row("alloc-map-temp")
	for _, kind := range []int{c.row("alloc-fmt"), c.row("cpu-logging"), build} {
		for k, l := range c.byLine {
			part := costKey{boxing, k.line}
			if kind == build {
				part.kind = access
			}
			p := c.byLine[part]
			if k.kind != kind || p == nil || kind == build && 3*l.cpu < p.cpu {
				continue
			}
			l.add(p)
			if kind == build {
				l.stays += p.cpu // a map that is cleared is filled again
			}
			delete(c.byLine, part)
		}
	}
}

// mostLookUp is how many times what formatting takes a look-up at the same line may take and be by that text: the key's
// hash and comparison are not more. Beyond, the map is too large for the CPU's cache, whatever the key.
const mostLookUp = 3

// resolveKeys makes one cost of formatting and of a map's look-up at the same line: the key is formatted for it, most
// likely.
func (c *costView) resolveKeys() {
	format := c.row("alloc-fmt")
	for k, l := range c.byLine {
		at := costKey{c.row("cpu-map-hash"), k.line}
		if key := c.byLine[at]; k.kind == format && key != nil && key.cpu <= mostLookUp*l.cpu {
			l.add(key)
			l.looksUp = true
			delete(c.byLine, at)
		}
	}
}

// collectLines sorts the lines of each row, the most expensive first. A line belongs to the row with its largest cost.
func (c *costView) collectLines() {
	best := make(map[stacks.FrameID]costKey, len(c.byLine))
	for k, l := range c.byLine {
		b, ok := best[k.line]
		if !ok || c.weigh(l) > c.weigh(c.byLine[b]) || c.weigh(l) == c.weigh(c.byLine[b]) && k.kind < b.kind {
			best[k.line] = k
		}
	}
	for line, k := range best {
		kind := c.x.kinds[k.kind].kind
		if c.weigh(c.byLine[k]) > 0 && line != stacks.NoFrame {
			c.lines[kind] = append(c.lines[kind], c.byLine[k])
		}
	}
	for _, ls := range c.lines {
		slices.SortFunc(ls, func(a, b *lineCost) int {
			return cmp.Or(cmp.Compare(c.weigh(b), c.weigh(a)), cmp.Compare(a.line, b.line))
		})
	}
}

// weigh is the measure for comparing lines: CPU, or garbage if there is no CPU profile.
func (c *costView) weigh(l *lineCost) float64 {
	if c.cpu == nil {
		return l.garbage
	}
	return l.share()
}
