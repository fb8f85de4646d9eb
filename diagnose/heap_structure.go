package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A structure is one data structure in memory, assembled from the places that allocated its parts. A cache allocates
// its entries in its own package, their list elements in container/list below it, and its caller boxes keys and values:
// three or more places, one structure.
//
// Parts belong together when they were allocated below the same package: the outermost package of a dependency between
// the allocation and the user's code, or where there is none the user's own package. When a user's function calls a
// library's structure, what it allocates itself belongs to that structure, too.
type structure struct {
	pkg     string
	objects float64
	bytes   float64
	samples []int         // of the heap's set
	holder  stacks.FuncID // the function that most of the objects have in common
	direct  float64       // objects that were allocated below the holder
}

// holderShare is how much of a structure's objects must be below a function for it to represent the structure. An entry
// has several parts, and one of them (an expiry set by an outer function) may be allocated elsewhere.
const holderShare = 0.6

// storerShare is enough for a function whose name says that it puts something into a structure: in a program of one
// package, keys and values that its caller makes count beside the entries that it makes.
const storerShare = 0.3

func (g *structure) meanSize() float64 { return g.bytes / max(g.objects, 1) }

// largestStructure is the structure with the most live objects; nil for an empty heap, or if no function can be named
// for it.
func largestStructure(r *Reading, h *heapView) *structure {
	if h == nil {
		return nil
	}
	groups := groupByPackage(r, h)
	joinCallers(r, h, groups)
	var best *structure
	for _, g := range groups {
		if best == nil || cmp.Or(cmp.Compare(g.objects, best.objects), cmp.Compare(best.pkg, g.pkg)) > 0 {
			best = g
		}
	}
	if best == nil || !best.findHolder(r, h) {
		return nil
	}
	return best
}

// groupByPackage puts every sample with live objects into the group of its package.
func groupByPackage(r *Reading, h *heapView) map[string]*structure {
	groups := make(map[string]*structure)
	for i := range h.set.Samples {
		s := &h.set.Samples[i]
		if h.objects(s) <= 0 || len(s.Stack) == 0 { // without a stack it belongs to nobody
			continue
		}
		pkg := owningPackage(r.Table, s.Stack)
		if groups[pkg] == nil {
			groups[pkg] = &structure{pkg: pkg}
		}
		groups[pkg].add(h, i)
	}
	return groups
}

func (g *structure) add(h *heapView, i int) {
	s := &h.set.Samples[i]
	g.samples = append(g.samples, i)
	g.objects += float64(h.objects(s))
	g.bytes += float64(max(h.space(s), 0))
}

// owningPackage is the outermost dependency below the user's code, otherwise the user's package, otherwise whatever
// allocates.
func owningPackage(t *stacks.Table, stack []stacks.FrameID) string {
	dep := ""
	for _, id := range stack {
		switch f := t.Func(id); f.Owner {
		case stacks.Dependency:
			dep = f.Package
		case stacks.User:
			if dep != "" {
				return dep
			}
			return f.Package
		}
	}
	if dep != "" {
		return dep
	}
	if id, i := t.Caller(stack); i >= 0 {
		return t.Func(id).Package
	}
	return ""
}

// callerParts: a calling function fills the library's structure if it allocates at most this many objects itself for
// each one that the library allocates below it: a boxed key, a boxed value and their two texts for each entry of one
// object. A function that allocates more has a structure of its own.
const callerParts = 4

// A call is a function of the user's that calls into a structure's package.
type call struct {
	fn stacks.FuncID
	g  *structure
}

// joinCallers moves what a calling function allocates on its own or through helpers of its own package (boxed keys,
// copied strings) into the largest structure that it fills.
func joinCallers(r *Reading, h *heapView, groups map[string]*structure) {
	below := make(map[call]float64) // objects of a structure below a function
	for _, g := range groups {
		for _, i := range g.samples {
			s := &h.set.Samples[i]
			if id := callerOf(r.Table, s.Stack, g.pkg); id != stacks.NoFrame {
				below[call{r.Table.FuncID(id), g}] += float64(h.objects(s))
			}
		}
	}
	fills := make(map[stacks.FuncID]*structure) // the largest that a function fills
	for c, n := range below {
		old := fills[c.fn]
		if old == nil || cmp.Or(cmp.Compare(n, below[call{c.fn, old}]), cmp.Compare(old.pkg, c.g.pkg)) > 0 {
			fills[c.fn] = c.g
		}
	}
	made := make(map[call]*structure) // what a function made itself, by the structure that it counts for
	for _, g := range groups {
		for _, i := range g.samples {
			fn, ok := madeBy(r.Table, h.set.Samples[i].Stack, fills)
			if !ok || fills[fn] == g {
				continue
			}
			c := call{fn, g}
			if made[c] == nil {
				made[c] = &structure{pkg: g.pkg}
			}
			made[c].add(h, i)
		}
	}
	maps.DeleteFunc(made, func(c call, part *structure) bool {
		return part.objects > callerParts*below[call{c.fn, fills[c.fn]}]
	})
	move(h, made, func(c call) *structure { return fills[c.fn] })
}

// move takes the parts out of the structures that they count for, all at once, and puts each where it belongs. A sample
// is in at most one part.
func move(h *heapView, parts map[call]*structure, to func(call) *structure) {
	gone := make([]bool, len(h.set.Samples))
	from := make(map[*structure]bool)
	for c, part := range parts {
		from[c.g] = true
		c.g.objects -= part.objects
		c.g.bytes -= part.bytes
		for _, i := range part.samples {
			gone[i] = true
		}
	}
	for g := range from {
		g.samples = slices.DeleteFunc(g.samples, func(i int) bool { return gone[i] })
	}
	for c, part := range parts {
		g := to(c)
		g.objects += part.objects
		g.bytes += part.bytes
		g.samples = append(g.samples, part.samples...)
	}
}

// madeBy is the function that fills a structure and made an object, itself or through functions of its own package.
// What a dependency made belongs to the dependency.
func madeBy(t *stacks.Table, stack []stacks.FrameID, fills map[stacks.FuncID]*structure) (stacks.FuncID, bool) {
	pkg := ""
	for _, id := range stack {
		f := t.Func(id)
		switch {
		case f.Owner == stacks.Dependency:
			return 0, false
		case f.Owner != stacks.User:
			continue
		case pkg != "" && f.Package != pkg:
			return 0, false
		}
		pkg = f.Package
		if fn := t.FuncID(id); fills[fn] != nil {
			return fn, true
		}
	}
	return 0, false
}

// callerOf is the first frame of the user's code outside a package.
func callerOf(t *stacks.Table, stack []stacks.FrameID, pkg string) stacks.FrameID {
	for _, id := range stack {
		if f := t.Func(id); f.Owner == stacks.User && f.Package != pkg {
			return id
		}
	}
	return stacks.NoFrame
}

// findHolder finds the deepest function of the structure's package that has most of its objects below it.
func (g *structure) findHolder(r *Reading, h *heapView) (ok bool) {
	samples := make([]*stacks.Sample, len(g.samples))
	for k, i := range g.samples {
		samples[k] = &h.set.Samples[i]
	}
	holder, objects, ok := deepestCommon(r.Table, weigh(samples, h.objects), ofPackage(g.pkg), func(fn stacks.FuncID) float64 {
		if stores(r.Table.Funcs[fn].Name) && !isPointerCache(r.Table.Funcs[fn]) {
			return storerShare
		}
		return holderShare
	})
	g.holder, g.direct = holder, objects
	return ok
}

func (g *structure) title(r *Reading) string {
	return "Entries of " + short(r.Table.Funcs[g.holder].Name)
}

// where names the holder, then the lines that call it, then what else allocates for the structure.
func (g *structure) where(r *Reading, h *heapView) []casefile.Frame {
	holders, callers, others := g.lines(r, h)
	var out []casefile.Frame
	role := "allocates the objects"
	if fn := r.Table.Funcs[g.holder]; isPointerCache(fn) || stores(fn.Name) {
		role = "holds the pointers"
	}
	for _, e := range top(holders, 1) {
		f := r.Frame(e.Key, g.direct/h.liveObjects, role)
		out = append(out, f)
	}
	calls := top(callers, 3)
	for _, e := range calls {
		n := e.Value + valueOf(others, e.Key) // a line that calls the holder and boxes its arguments
		out = append(out, r.Frame(e.Key, float64(n)/h.liveObjects, "called from"))
	}
	for _, e := range top(others, 3) {
		if valueOf(calls, e.Key) == 0 {
			out = append(out, r.Frame(e.Key, float64(e.Value)/h.liveObjects, "allocates for it"))
		}
	}
	return out
}

// stores reports whether a function's name says that it puts something into a structure.
func stores(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	for _, verb := range []string{"set", "put", "add", "insert", "store", "push", "append", "enqueue", "index",
		"cache"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	return false
}

// lines sums the objects by the holder's line, by the user's line that calls it from outside, and by allocating lines
// outside the holder.
func (g *structure) lines(r *Reading, h *heapView) (holders, callers, others []stacks.Entry[stacks.FrameID]) {
	hs, cs, os := map[stacks.FrameID]int64{}, map[stacks.FrameID]int64{}, map[stacks.FrameID]int64{}
	for _, i := range g.samples {
		s := &h.set.Samples[i]
		n := h.objects(s)
		at := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return r.Table.FuncID(id) == g.holder })
		if at < 0 {
			if id, ok := r.UserLine(s); ok {
				os[id] += n
			}
			continue
		}
		hs[s.Stack[at]] += n
		if id := callerOutside(r.Table, s.Stack[at+1:], g.pkg, g.holder); id != stacks.NoFrame {
			cs[id] += n
		}
	}
	return entries(hs), entries(cs), entries(os)
}

// callerOutside is the first frame of the user's code above the holder that is outside its package. If the package is
// the user's main, it is the first other function.
func callerOutside(t *stacks.Table, above []stacks.FrameID, pkg string, holder stacks.FuncID) stacks.FrameID {
	if id := callerOf(t, above, pkg); id != stacks.NoFrame {
		return id
	}
	for _, id := range above {
		if t.Func(id).Owner == stacks.User && t.FuncID(id) != holder {
			return id
		}
	}
	return stacks.NoFrame
}

func entries(m map[stacks.FrameID]int64) []stacks.Entry[stacks.FrameID] {
	return stacks.Sorted(m)
}

// valueOf is the value of a key; 0 if it is missing.
func valueOf(es []stacks.Entry[stacks.FrameID], key stacks.FrameID) int64 {
	for _, e := range es {
		if e.Key == key {
			return e.Value
		}
	}
	return 0
}

// top is the first n entries that have at least a twentieth of the first one.
func top[K ~int32](es []stacks.Entry[K], n int) []stacks.Entry[K] {
	for i := range es {
		if i == n || es[i].Value*20 < es[0].Value {
			return es[:i]
		}
	}
	return es
}
