package diagnose

import (
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// An allocation is what one line allocated, and how many of these allocations were sampled.
type allocation struct{ objects, bytes, events float64 }

func (a *allocation) add(objects, bytes, rate float64) {
	a.objects += objects
	a.bytes += bytes
	a.events += sampled(bytes, objects, rate)
}

// An estimate is a number that sampled allocations tell.
type estimate struct{ count, events float64 }

// starts are the allocations that count go statements and requests.
type starts struct {
	*spawning
	v        *cpuView
	requests estimate
	garbage  float64                                          // bytes of all
	sites    map[stacks.FrameID]*allocation                   // the user's lines, below requests
	callers  map[stacks.FrameID]map[stacks.FuncID]int         // the line, and where the user's functions above it call
	runs     map[stacks.FuncID]map[stacks.FrameID]*allocation // lines that allocate in goroutines, by root
	made     map[stacks.FrameID]bool                          // lines that are known to start goroutines
	dumped   map[stacks.FuncID]map[stacks.FrameID]int64       // go statements, by root
}

// newStarts reads the heap profile that counts since the process began; nil without one.
func newStarts(sp *spawning, v *cpuView) *starts {
	set := sp.sinceStart()
	if set == nil {
		return nil
	}
	c := &starts{spawning: sp, v: v, sites: make(map[stacks.FrameID]*allocation),
		callers: make(map[stacks.FrameID]map[stacks.FuncID]int),
		runs:    make(map[stacks.FuncID]map[stacks.FrameID]*allocation),
		made:    make(map[stacks.FrameID]bool), dumped: make(map[stacks.FuncID]map[stacks.FrameID]int64)}
	served := make(map[stacks.FrameID]*allocation)
	objects := stacks.ByValue(set.Value("alloc_objects", "count"))
	space := stacks.ByValue(set.Value("alloc_space", "bytes"))
	for i := range set.Samples {
		s := &set.Samples[i]
		if n, b := objects(s), space(s); n > 0 && b > 0 && len(s.Stack) > 0 {
			c.addAllocation(s.Stack, served, float64(n), float64(b), set.Rate())
		}
	}
	c.requests = once(served)
	c.addKnown()
	return c
}

// sinceStart is the last heap profile that counts since the process began, or what is known of a shorter time.
func (sp *spawning) sinceStart() *stacks.Set {
	all := slices.DeleteFunc(sp.All(casefile.Heap, casefile.Allocs), func(s *stacks.Set) bool { return s.Seconds > 0 })
	if len(all) > 0 {
		return all[len(all)-1]
	}
	return sp.Gained(casefile.Heap, casefile.Allocs)
}

func (c *starts) addAllocation(stack []stacks.FrameID, served map[stacks.FrameID]*allocation, n, b, rate float64) {
	c.garbage += b
	if c.Table.Func(stack[0]).Does(known.ReadsRequest) {
		at(served, stack[0]).add(n, b, rate)
		return
	}
	if root, _, ok := ownRoot(c.Table, stack); ok {
		if a := c.of[root]; a != nil {
			a.garbage += b
			if c.runs[root] == nil {
				c.runs[root] = make(map[stacks.FrameID]*allocation)
			}
			at(c.runs[root], stack[0]).add(n, b, rate)
		}
		return
	}
	line, ok := goStatement(c.Table, stack)
	if !ok || !serves(c.Table, stack) {
		return
	}
	if c.Table.Func(stack[0]).Owner == stacks.User {
		at(c.sites, line).add(n, b, rate)
	}
	if c.callers[line] == nil {
		c.callers[line] = make(map[stacks.FuncID]int)
	}
	for _, id := range stack {
		if fn := c.Table.FuncID(id); c.Table.Func(id).Owner == stacks.User {
			c.callers[line][fn] = max(c.callers[line][fn], c.Table.Line(id))
		}
	}
}

func at(m map[stacks.FrameID]*allocation, id stacks.FrameID) *allocation {
	if m[id] == nil {
		m[id] = new(allocation)
	}
	return m[id]
}

// once is how often lines ran that allocate one object each time, of all their samples together.
func once(lines map[stacks.FrameID]*allocation) (c estimate) {
	bytes, size := 0.0, 0.0
	for _, a := range lines {
		bytes += a.bytes
		size += a.bytes / a.objects
		c.events += a.events
	}
	if size > 0 {
		c.count = bytes / size
	}
	return c
}

// addKnown finds go statements by the CPU of starting goroutines, and in dumps.
func (c *starts) addKnown() {
	if c.v != nil {
		for i := range c.v.set.Samples {
			if s := &c.v.set.Samples[i]; atEdge(c.Table, s.Stack, known.StartsGoroutine) {
				if id, ok := goStatement(c.Table, s.Stack); ok {
					c.made[id] = true
				}
			}
		}
	}
	for _, set := range c.All(casefile.Goroutine) {
		for i := range set.Goroutines {
			root, _, ok := ownRoot(c.Table, set.Samples[i].Stack)
			if by := set.Goroutines[i].CreatedBy; ok && by != stacks.NoFrame && c.callers[by] != nil {
				if c.dumped[root] == nil {
					c.dumped[root] = make(map[stacks.FrameID]int64)
				}
				c.dumped[root][by]++
				c.made[by] = true
			}
		}
	}
}

// judge counts the goroutines of a root for each request.
func (c *starts) judge(a *spawned) {
	a.at = c.statementOf(a)
	if a.at == stacks.NoFrame {
		return
	}
	n := c.started(a)
	a.each = n.count / c.requests.count
	a.least = a.each * (1 - math.Sqrt(1/max(n.events, 1)+1/max(c.requests.events, 1)))
}

// started is how many goroutines a root's go statement has started: as a spawner counts them; otherwise by the line,
// which may allocate arguments as well, and by what the goroutines allocate, where some lines run many times in each.
// If the two agree, both are taken; the smaller one otherwise.
func (c *starts) started(a *spawned) estimate {
	site, runs := estimate{}, median(c.runs[a.root])
	if s := c.sites[a.at]; s != nil {
		site = estimate{s.objects, s.events}
	}
	switch {
	case runs.count == 0 || runs.count > byChance*site.count:
		return site
	case site.count > byChance*runs.count:
		return runs
	}
	n := site.events + runs.events
	return estimate{(site.count*site.events + runs.count*runs.events) / n, n}
}

// byChance is how many times another a number of sampled allocations may be that counts the same.
const byChance = 1.6

// fewEvents is how many samples a line must have for its number to count.
const fewEvents = 4

// median is the median count of lines with enough samples, of three or more.
func median(lines map[stacks.FrameID]*allocation) estimate {
	var all []estimate
	for _, a := range lines {
		if a.events >= fewEvents {
			all = append(all, estimate{a.objects, a.events})
		}
	}
	if len(all) < 3 {
		return estimate{}
	}
	slices.SortFunc(all, func(a, b estimate) int { return int(math.Copysign(1, a.count-b.count)) })
	return all[(len(all)-1)/2]
}

// statementOf is the go statement that starts goroutines of a root: as a dump has it; by the name of a closure, which
// begins with that of the function around it; or the one of the package that starts most of those that are no
// closure's.
func (c *starts) statementOf(a *spawned) stacks.FrameID {
	if es := entries(c.dumped[a.root]); len(es) > 0 {
		return es[0].Key
	}
	root := &c.Table.Funcs[a.root]
	around, closure := aroundClosure(root.Name)
	best, most, sure := stacks.NoFrame, 0.0, false
	for line := range c.callers {
		f, n := c.Table.Func(line), c.allocated(line)
		switch known := c.made[line]; {
		case closure && f.Name != around, f.Package != root.Package, !closure && !known:
		case closure && !known && c.Table.Line(line) > c.firstLine(a):
		case known && !sure, known == sure && n > most, known == sure && n == most && line < best:
			best, most, sure = line, n, known
		}
	}
	return best
}

// allocated is how many objects a line has allocated.
func (c *starts) allocated(line stacks.FrameID) float64 {
	if s := c.sites[line]; s != nil {
		return s.objects
	}
	return 0
}

// firstLine is the first line of a root that is seen.
func (c *starts) firstLine(a *spawned) int {
	first := math.MaxInt
	for i, f := range c.Table.Frames {
		if f.Func == a.root {
			first = min(first, c.Table.Line(stacks.FrameID(i)))
		}
	}
	return first
}

// aroundClosure is the name of the function in which a closure stands.
func aroundClosure(name string) (around string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", false
	}
	digits := strings.TrimPrefix(name[i+1:], "func")
	return name[:i], digits != "" && strings.Trim(digits, "0123456789") == ""
}

// joined reports whether the requests wait for the goroutines that they start: then these are needed for the answer,
// and may ask different services. A profile of goroutines shows one moment: whoever waits for those that it shows is in
// it as well. Calls over HTTP and gRPC may go anywhere, so some must be seen and nobody who waits for them.
func (c *starts) joined(a *spawned) bool {
	if a.group {
		return true
	}
	running, waiting := 0.0, 0.0
	for _, set := range c.Moments() {
		n := stacks.ByValue(set.Value(casefile.Goroutine, "count"))
		for i := range set.Samples {
			s := &set.Samples[i]
			if root, _, ok := ownRoot(c.Table, s.Stack); ok && root == a.root {
				running += float64(n(s))
			} else if c.waitsFor(a, s, set.Wait(i)) {
				waiting += float64(n(s))
			}
		}
	}
	if waiting > 0 && 2*waiting*a.each >= running {
		return true
	}
	return a.http && running == 0
}

// waitsFor reports whether a request has passed the go statement, is still in the function around it or one that calls
// that, and asks for nothing itself.
func (c *starts) waitsFor(a *spawned, s *stacks.Sample, w stacks.Wait) bool {
	if !serves(c.Table, s.Stack) || asksOut(c.Reading, s, w) {
		return false
	}
	for _, id := range s.Stack {
		if line, calls := c.callers[a.at][c.Table.FuncID(id)]; calls {
			return c.Table.Line(id) > line
		}
	}
	return false
}
