package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
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
	hold.Sum
	pkg    string
	holder stacks.FuncID // the function that most of the objects have in common
	direct float64       // objects that were allocated below the holder
}

// holderShare is how much of a structure's objects must be below a function that represents it: a part of an entry (an
// expiry set by an outer function) may be allocated elsewhere.
const holderShare = 0.6

// storerShare is enough for a method: in a program of one package, keys and values that its caller makes count beside
// the entries that it makes.
const storerShare = 0.3

// callerParts is how many objects for each one of the library's a function may allocate itself that fills the library's
// structure: a boxed key, a boxed value and their two texts. One that allocates more has a structure of its own.
const callerParts = 4

// largestStructure is the structure with the most live objects; nil for an empty heap, or if no function can be named
// for it.
func largestStructure(r *Reading) *structure {
	if r.heap() == nil {
		return nil
	}
	t := r.Table
	var live []*hold.Held
	for _, b := range heldNow(r).Held {
		if b.Now.Objects > 0 {
			live = append(live, b)
		}
	}
	type call struct {
		fn  stacks.FuncID
		pkg string
	}
	below := make(map[call]float64) // objects of a package's structure below a function that calls it
	for _, b := range live {
		pkg := owningPackage(t, b.Stack)
		if id := callerOf(t, b.Stack, pkg); id != stacks.NoFrame {
			below[call{t.FuncID(id), pkg}] += b.Now.Objects
		}
	}
	fills := make(map[stacks.FuncID]string) // the largest that a function fills
	for c, n := range below {
		old, ok := fills[c.fn]
		if !ok || cmp.Or(cmp.Compare(n, below[call{c.fn, old}]), cmp.Compare(old, c.pkg)) > 0 {
			fills[c.fn] = c.pkg
		}
	}
	made := make(map[call]float64) // objects that a function which fills one made itself, by the package they are of
	for _, b := range live {
		if fn, ok := madeBy(t, b.Stack, fills); ok {
			made[call{fn, owningPackage(t, b.Stack)}] += b.Now.Objects
		}
	}
	of := make(hold.Sums[string])
	for _, b := range live {
		pkg := owningPackage(t, b.Stack)
		fn, ok := madeBy(t, b.Stack, fills)
		if ok && made[call{fn, pkg}] <= callerParts*below[call{fn, fills[fn]}] {
			pkg = fills[fn] // boxed keys, copied strings
		}
		of.Add(pkg, b)
	}
	pkg, most := of.Most(hold.AliveObjects)
	if most == nil {
		return nil
	}
	g := &structure{Sum: *most, pkg: pkg}
	return g.withHolder(t)
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
			return cmp.Or(dep, f.Package)
		}
	}
	if id, i := t.Caller(stack); dep == "" && i >= 0 {
		return t.Func(id).Package
	}
	return dep
}

// madeBy is the function that fills a structure and made an object, itself or through functions of its own package.
// What a dependency made belongs to the dependency.
func madeBy(t *stacks.Table, stack []stacks.FrameID, fills map[stacks.FuncID]string) (stacks.FuncID, bool) {
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
		if _, ok := fills[t.FuncID(id)]; ok {
			return t.FuncID(id), true
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

// withHolder finds the deepest function of the structure's package that has most of its objects below it; nil without
// one.
func (g *structure) withHolder(t *stacks.Table) *structure {
	ok := false
	objects := weighHeld(g.Held, func(b *hold.Held) float64 { return b.Now.Objects })
	g.holder, g.direct, ok = deepestCommon(t, objects, ofPackage(g.pkg), func(fn stacks.FuncID) float64 {
		if isMethod(&t.Funcs[fn]) && !isPointerCache(t.Funcs[fn]) {
			return storerShare
		}
		return holderShare
	})
	if !ok {
		return nil
	}
	return g
}

// isMethod knows what has a receiver, which keeps what it is given.
func isMethod(f *stacks.Func) bool {
	_, method := stacks.Receiver(f.Name)
	return method
}

func (g *structure) title(r *Reading) string {
	return "Entries of " + short(r.Table.Funcs[g.holder].Name)
}

// where names the holder, then the lines that call it from outside, then what else allocates for the structure.
func (g *structure) where(r *Reading, h *heapView) []casefile.Frame {
	holders, callers, others := map[stacks.FrameID]int64{}, map[stacks.FrameID]int64{}, map[stacks.FrameID]int64{}
	for _, b := range g.Held {
		n := int64(b.Now.Objects)
		at := lineIn(r.Table, b.Stack, g.holder)
		switch {
		case at != stacks.NoFrame:
			holders[at] += n
			above := b.Stack[slices.Index(b.Stack, at)+1:]
			if id := callerOutside(r.Table, above, g.pkg, g.holder); id != stacks.NoFrame {
				callers[id] += n
			}
		case b.Line != stacks.NoFrame:
			others[b.Line] += n
		}
	}
	var out []casefile.Frame
	role := "allocates the objects"
	if fn := r.Table.Funcs[g.holder]; isPointerCache(fn) || isMethod(&fn) {
		role = "holds the pointers"
	}
	for _, e := range top(entries(holders), 1) {
		out = append(out, r.Frame(e.Key, g.direct/h.liveObjects, role))
	}
	for _, e := range top(entries(callers), 3) { // a line that calls the holder may box its arguments
		out = append(out, r.Frame(e.Key, float64(e.Value+others[e.Key])/h.liveObjects, "called from"))
		delete(others, e.Key)
	}
	return append(out, r.Frames(top(entries(others), 3), 3, h.liveObjects, "allocates for it")...)
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

// top is the first n entries that have at least a twentieth of the first one.
func top[K ~int32](es []stacks.Entry[K], n int) []stacks.Entry[K] {
	for i := range es {
		if i == n || es[i].Value*20 < es[0].Value {
			return es[:i]
		}
	}
	return es
}
