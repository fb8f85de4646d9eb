package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// noKind is the index that means no row.
const noKind = -1

// A costIndex knows the row of every function of a table, so that a stack is matched by looking up its frames. It is
// built once per reading.
type costIndex struct {
	t       *stacks.Table
	kinds   []costKind
	byFunc  []int16 // the row whose calls have the function
	class   [stacks.GCIdle + 1]int16
	leaf    []int16  // the row whose heapLeaf has the function
	through [][]bool // by row, the functions of its through
	slow    [][]bool // by row, the functions of its slow form
	least   [][]bool // by row, the functions of its form that costs least
	carries []bool   // the functions of connections: what is below them is no work of the call above
}

func newCostIndex(t *stacks.Table, kinds []costKind) *costIndex {
	x := &costIndex{t: t, kinds: kinds, byFunc: make([]int16, len(t.Funcs)), leaf: make([]int16, len(t.Funcs)),
		through: make([][]bool, len(kinds)),
		slow:    make([][]bool, len(kinds)), least: make([][]bool, len(kinds)), carries: make([]bool, len(t.Funcs))}
	for i := range x.class {
		x.class[i] = noKind
	}
	for k := range kinds {
		for _, c := range kinds[k].match.class {
			x.class[c] = int16(k)
		}
		if len(kinds[k].match.through) > 0 {
			x.through[k] = make([]bool, len(t.Funcs))
		}
		if kinds[k].slow != nil {
			x.slow[k] = make([]bool, len(t.Funcs))
		}
		if kinds[k].least != nil {
			x.least[k] = make([]bool, len(t.Funcs))
		}
	}
	for f := range t.Funcs {
		x.byFunc[f], x.leaf[f] = noKind, noKind
		_, x.carries[f] = ofTransport(&t.Funcs[f])
		x.place(stacks.FuncID(f), t.Funcs[f].Name)
	}
	return x
}

// place finds the rows of a function: the row with the longest, and so the most exact, entry.
func (x *costIndex) place(f stacks.FuncID, name string) {
	if x.t.Funcs[f].Owner == stacks.User {
		return // a program may be one of the libraries itself
	}
	fits := known.Fits(name)
	if len(fits) == 0 {
		return
	}
	best, bestLeaf := 0, 0
	for k := range x.kinds {
		m := &x.kinds[k].match
		if n := known.Exact(fits, m.calls); n > best {
			best, x.byFunc[f] = n, int16(k)
		}
		if n := known.Exact(fits, m.heapLeaf); n > bestLeaf {
			bestLeaf, x.leaf[f] = n, int16(k)
		}
		if x.through[k] != nil {
			x.through[k][f] = known.Exact(fits, m.through) > 0
		}
		if x.slow[k] != nil {
			x.slow[k][f] = known.Exact(fits, x.kinds[k].slow.calls) > 0
		}
		if x.least[k] != nil {
			x.least[k][f] = known.Exact(fits, x.kinds[k].least) > 0
		}
	}
}

// longest is the length of the longest prefix that a name begins with; 0 without one.
func longest(prefixes []string, name string) int {
	n := 0
	for _, p := range prefixes {
		if len(p) > n && strings.HasPrefix(name, p) {
			n = len(p)
		}
	}
	return n
}

// hasAny reports whether one of the functions is in a stack; functions are nil for a row without the form.
func (x *costIndex) hasAny(functions []bool, stack []stacks.FrameID) bool {
	return functions != nil &&
		slices.ContainsFunc(stack, func(id stacks.FrameID) bool { return functions[x.t.FuncID(id)] })
}

// A hit is a stack that belongs to a row.
type hit struct {
	kind int
	line stacks.FrameID // to blame
	call stacks.FrameID // what it called; NoFrame where the line itself did it
	via  stacks.FrameID // the dependency's line that made the call; NoFrame where it was the user's
}

// maxDepth bounds the stacks that are matched: Go's profilers record 128 frames and fewer, inlined ones included some
// more.
const maxDepth = 1024

// find matches a stack. It blames the user's line that is closest to the leaf; below code that only passes calls on, or
// without such a line, the dependency's.
func (x *costIndex) find(s *stacks.Sample) (hit, bool) {
	if len(s.Stack) > maxDepth {
		return hit{}, false
	}
	line, u := x.t.UserFrame(s.Stack)
	from := u
	if u < 0 {
		from = len(s.Stack)
	}
	at, kind := x.call(s.Stack, from)
	switch {
	case at >= 0 && (u < 0 || passesOn(x.t, s.Stack, u)):
		by, ok := x.dependency(s.Stack[at:from])
		return hit{kind, by, s.Stack[at], stacks.NoFrame}, ok
	case at >= 0:
		return hit{kind, line, s.Stack[at], x.maker(s.Stack[at:from], kind)}, true
	case u < 0:
		return hit{}, false
	}
	if k := x.class[s.Class]; u > 0 && k != noKind && x.reaches(s.Stack[:u], int(k)) {
		call := stacks.NoFrame // what does it for the line, if the line itself does not
		if id := s.Stack[u-1]; x.t.Func(id).Owner != stacks.Runtime {
			call = id
		}
		return hit{int(k), line, call, stacks.NoFrame}, true
	}
	return x.callback(s.Stack, u)
}

// call is the call below position from that decides, and its row; -1 without one.
func (x *costIndex) call(stack []stacks.FrameID, from int) (at, kind int) {
	at, kind = -1, noKind
	for i := from - 1; i >= 0; i-- {
		k := int(x.byFunc[x.t.FuncID(stack[i])])
		if k == noKind {
			continue
		}
		m := &x.kinds[k].match
		if m.own && (from == len(stack) || !x.reaches(stack[i+1:from], k)) || m.direct && i+1 < from &&
			x.internal(stack[i+1]) {
			continue
		}
		if m.inner {
			return i, k
		}
		if at < 0 || x.t.Func(stack[i]).Does(x.kinds[kind].match.into...) {
			at, kind = i, k
		}
	}
	return at, kind
}

// internal reports whether a caller is the standard library working for itself, and not one that passes calls on.
func (x *costIndex) internal(caller stacks.FrameID) bool {
	f := x.t.Func(caller)
	return f.Owner == stacks.Std && !f.Does(known.PassesOn)
}

// reaches reports whether a row allows the frames between the user's line and what the row is about.
func (x *costIndex) reaches(between []stacks.FrameID, kind int) bool {
	for _, id := range between {
		f := x.t.FuncID(id)
		if x.t.Funcs[f].Owner != stacks.Runtime && (x.through[kind] == nil || !x.through[kind][f]) {
			return false
		}
	}
	return true
}

// maker is the dependency's frame that made a call, the nearest to it, below the user's line. path begins with the
// call. What is called within its own module was called by the user's line: zstd's EncodeAll makes the encoder's tables.
func (x *costIndex) maker(path []stacks.FrameID, kind int) stacks.FrameID {
	within, _, known := stacks.ModuleOf(x.t.Func(path[0]).File)
	for _, id := range path[1:] {
		f := x.t.FuncID(id)
		if x.t.Funcs[f].Owner != stacks.Dependency || int(x.byFunc[f]) == kind {
			continue
		}
		if by, _, _ := stacks.ModuleOf(x.t.Funcs[f].File); !known || by != within {
			return id
		}
	}
	return stacks.NoFrame
}

// dependency is the frame above a call that called it: the first of a dependency that belongs to no row.
func (x *costIndex) dependency(stack []stacks.FrameID) (stacks.FrameID, bool) {
	for _, id := range stack {
		f := x.t.Func(id)
		if f.Owner == stacks.Dependency && f.Package != "" && x.byFunc[x.t.FuncID(id)] == noKind {
			return id, true
		}
	}
	return 0, false
}

// callback finds the call that called back the user's function at position u.
func (x *costIndex) callback(stack []stacks.FrameID, u int) (hit, bool) {
	for i := u + 1; i < len(stack); i++ {
		k := int(x.byFunc[x.t.FuncID(stack[i])])
		if k == noKind || !x.kinds[k].match.callbacks {
			continue
		}
		line, j := x.t.UserFrame(stack[i:])
		if j < 0 {
			break
		}
		top, _ := x.call(stack, i+j) // the outermost frame of the call is the one that the line called
		if top < 0 {
			top = i
		}
		return hit{k, line, stack[top], stacks.NoFrame}, true
	}
	return hit{}, false
}

// findHeap matches a stack of a heap profile, whose leaf is what called the runtime to allocate.
func (x *costIndex) findHeap(s *stacks.Sample) (hit, bool) {
	if len(s.Stack) == 0 || len(s.Stack) > maxDepth {
		return hit{}, false
	}
	if h, ok := x.find(s); ok {
		return h, true
	}
	line, u := x.t.UserFrame(s.Stack)
	k := x.leaf[x.t.FuncID(s.Stack[0])]
	if u <= 0 || k == noKind || !x.reaches(s.Stack[:u], int(k)) {
		return hit{}, false
	}
	return hit{int(k), line, s.Stack[0], stacks.NoFrame}, true
}

// delivers reports whether a stack is in a connection that the call of a hit writes to or reads from: encrypting and
// handing over what fmt.Fprintf has formatted is no formatting.
func (x *costIndex) delivers(stack []stacks.FrameID, h hit) bool {
	for _, id := range stack {
		if id == h.call || id == h.line {
			return false
		}
		if x.carries[x.t.FuncID(id)] {
			return true
		}
	}
	return false
}

// allows reports whether a sample may count for a row: no call causes the collector's and the scheduler's work.
func (x *costIndex) allows(s *stacks.Sample, kind int) bool {
	switch m := x.kinds[kind].match; {
	case s.Class == stacks.Syscall && m.network, s.Class == stacks.Scheduler && m.scheduler:
		return true
	}
	return computes(x.t, s) || slices.Contains(x.kinds[kind].match.class, s.Class)
}

// walks reports whether a line's function calls itself on a stack, by itself or from a function literal of its own, and
// the row leaves such lines out.
func (x *costIndex) walks(stack []stacks.FrameID, h hit) bool {
	at := slices.Index(stack, h.line)
	if at < 0 || !x.kinds[h.kind].match.once {
		return false
	}
	own := x.t.Func(h.line).Name
	return slices.ContainsFunc(stack[at+1:], func(id stacks.FrameID) bool {
		name := x.t.Func(id).Name
		return name == own || strings.HasPrefix(name, own+".func") || strings.HasPrefix(name, own+".gowrap")
	})
}
