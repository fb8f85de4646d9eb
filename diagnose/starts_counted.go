package diagnose

import (
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// How many goroutines of a kind a request starts is told by allocations, which a heap profile counts since the process
// began: a go statement allocates its closure, and net/http and gRPC a few objects for each request.

// sinceStart is the last heap profile that counts since the process began, or what is known of a shorter time.
func sinceStart(r *Reading) *stacks.Set {
	for _, set := range slices.Backward(r.All(casefile.Heap, casefile.Allocs)) {
		if set.Seconds == 0 {
			return set
		}
	}
	return r.Gained(casefile.Heap, casefile.Allocs)
}

// An allocation is what one line allocated, and how many of these allocations were sampled.
type allocation struct {
	objects, bytes, events float64
	stack                  []stacks.FrameID
}

// allocations are those of some lines.
type allocations = groups[stacks.FrameID, allocation]

// starts are the allocations that count go statements and requests.
type starts struct {
	served allocations                        // the server's lines that allocate for each request
	sites  allocations                        // the user's lines below requests
	runs   groups[stacks.FuncID, allocations] // lines that allocate in goroutines, by root
	made   map[stacks.FrameID]bool            // lines that are seen to start goroutines
}

func newStarts(r *Reading, set *stacks.Set, v *cpuView) *starts {
	c := &starts{made: make(map[stacks.FrameID]bool)}
	objects := stacks.ByValue(set.Value("alloc_objects", "count"))
	for s, bytes := range set.Counted(stacks.ByValue(set.Value("alloc_space", "bytes"))) {
		if len(s.Stack) == 0 {
			continue
		}
		lines, at := &c.sites, s.Stack[0]
		if root, _, own := ownRoot(r.Table, s.Stack); own {
			lines, _ = c.runs.of(root)
		} else if f := r.Table.Func(at); f.Does(known.ReadsRequest) {
			lines = &c.served
		} else if f.Owner != stacks.User || !serves(r.Table, s.Stack) {
			continue
		}
		a, first := lines.of(at)
		if first {
			a.stack = s.Stack
		}
		n, b := float64(objects(s)), float64(bytes)
		a.objects, a.bytes, a.events = a.objects+n, a.bytes+b, a.events+sampled(b, n, set.Rate())
	}
	if v != nil { // go statements, by the CPU of starting goroutines, and in dumps
		for line := range newChurn(r, v).starts {
			c.made[line] = true
		}
	}
	for _, set := range r.All(casefile.Goroutine) {
		for i := range set.Goroutines {
			c.made[set.Goroutines[i].CreatedBy] = true
		}
	}
	return c
}

// count finds how many goroutines of a kind a request starts; false if they are few, or not known.
func (c *starts) count(t *stacks.Table, f *fanOut) bool {
	bytes, size, events := 0.0, 0.0, 0.0
	for _, a := range c.served.all {
		bytes, size, events = bytes+a.bytes, size+a.bytes/a.objects, events+a.events
	}
	site := c.siteOf(t, t.Funcs[f.root])
	if site == nil || size == 0 {
		return false
	}
	n := site
	own, _ := c.runs.of(f.root)
	if runs := median(own); runs != nil && runs.objects < site.objects {
		n = runs // the go statement allocates arguments, too
	}
	f.at, f.above, f.each = site.stack[0], site.stack, n.objects/(bytes/size)
	sure := f.each * (1 - math.Sqrt(1/max(n.events, 1)+1/max(events, 1)))
	return f.each >= minSpawned && sure >= surelyMany
}

// siteOf is the go statement that starts goroutines with a function: of a closure it is in the function around it; of
// others in their package, and seen to start goroutines.
func (c *starts) siteOf(t *stacks.Table, root stacks.Func) (best *allocation) {
	around, closure := aroundClosure(root.Name)
	for line, a := range c.sites.by {
		f := t.Func(line)
		if f.Package != root.Package || closure && f.Name != around || !closure && !c.made[line] {
			continue
		}
		known := best != nil && c.made[best.stack[0]]
		if best == nil || c.made[line] && !known || c.made[line] == known && a.objects > best.objects {
			best = a
		}
	}
	return best
}

// aroundClosure is the name of the function in which a closure stands.
func aroundClosure(name string) (around string, ok bool) {
	i := max(strings.LastIndexByte(name, '.'), 0)
	digits := strings.TrimPrefix(name[i:], ".func")
	return name[:i], digits != "" && strings.Trim(digits, "0123456789") == ""
}

// fewEvents is how many samples a line must have for its number to count.
const fewEvents = 4

// median is the line with the median number of objects, of three or more with enough samples.
func median(lines *allocations) *allocation {
	all := slices.DeleteFunc(slices.Clone(lines.all), func(a *allocation) bool { return a.events < fewEvents })
	if len(all) < 3 {
		return nil
	}
	sortFalling(all, func(a *allocation) float64 { return a.objects })
	return all[len(all)/2]
}
