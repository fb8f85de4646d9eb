package heapdump

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// A collector makes the graph, in the second reading.
type collector struct {
	*survey
	symbols symbols
	graph   graph
	roots   []root // nodes from objects.count on
	top     [tiers][]uint32

	descriptor map[uint32]bool // objects that are goroutines
	next       uint32          // object
	stack      *pendingStack
	groups     map[string]*stackGroup
	byPC       map[uint64][]uint32 // finalizers by their function

	laterRoots []root
	laterTier  []tier
	laterNames map[lateKey]uint32
	later      []laterEdge
}

// collect reads a dump the second time. A cut dump has been reported by the survey.
func collect(ctx context.Context, f io.ReaderAt, s *survey, syms symbols) *collector {
	c := &collector{survey: s, symbols: syms, groups: make(map[string]*stackGroup), byPC: make(map[uint64][]uint32),
		descriptor: make(map[uint32]bool), laterNames: make(map[lateKey]uint32)}
	c.graph.from = make([]uint32, 0, int(s.objects.count)+1024)
	c.graph.to = make([]uint32, 0, min(s.edges, maxEdges))
	for _, address := range s.descriptors {
		if n, ok := s.objects.at(address); ok {
			c.descriptor[n] = true
		}
	}
	w := newWire(f, 0)
	_ = w.visit(&visitor{ // the survey has met the same error
		object: func(address uint64, m *memory, pointers pointerFunc) {
			c.object(w, address, m, pointers)
			if c.next%checkEvery == 0 && ctx.Err() != nil {
				w.fail(ctx.Err())
			}
		},
		goroutine: c.goroutine,
		frame:     func(f frame, m *memory, p pointerFunc) { c.frame(w, f, m, p) },
		deferred:  func(record, fn uint64) { c.reference(record); c.reference(fn) },
		panicked:  c.reference,
		finalizer: c.finalizer,
		other:     c.other,
		section:   c.section,
	})
	c.finish()
	return c
}

// object adds an object's edges. Those of goroutines and Ps are the runtime's: every goroutine is in a list, and holds
// what it waits for.
func (c *collector) object(w *wire, address uint64, m *memory, pointers pointerFunc) {
	c.graph.begin()
	n := c.next
	c.next++
	var key uint32
	late := false
	switch {
	case c.descriptor[n]:
		key, late = c.lateRoot(own, root{kind: refs.Runtime, name: "what goroutines wait for (runtime.g)"}), true
	case isP(w, address, m):
		key, late = c.lateRoot(timers, root{kind: refs.Timer, name: "timers (runtime.p)"}), true
	}
	pointers(func(_, value uint64) {
		switch to, ok := c.objects.at(value); {
		case !ok || to == n || c.descriptor[to]:
		case late:
			c.later = append(c.later, laterEdge{key, to})
		default:
			c.graph.edge(to)
		}
	})
}

// goroutine begins a goroutine; its frames follow.
func (c *collector) goroutine(g goroutine) {
	c.flush()
	c.stack = &pendingStack{goroutine: g}
	c.reference(g.context)
}

// reference adds what a goroutine holds without a frame: its closure before it runs, deferred calls, a panic's value.
func (c *collector) reference(address uint64) {
	if n, ok := c.objects.at(address); ok && c.stack != nil {
		c.stack.refs = append(c.stack.refs, n)
	}
}

// frame adds a frame of the current goroutine. The words that are not called pointers count as some, later: the dump
// has no map of variables whose address is taken, and none of a frame that was preempted between calls.
func (c *collector) frame(w *wire, f frame, m *memory, pointers pointerFunc) {
	node := c.begin(root{kind: stackFrame, name: f.name})
	var sure []uint32
	pointers(func(_, value uint64) {
		if to, ok := c.objects.at(value); ok && !c.descriptor[to] {
			c.graph.edge(to)
			sure = append(sure, to)
		}
	})
	s := c.stack
	if s == nil {
		return
	}
	s.frames = append(s.frames, node)
	s.stack += f.name + "\n"
	if !strings.HasPrefix(f.name, "runtime.") {
		s.entry = entry(s.entry, f.name)
	}
	c.maybe(w, f, m, sure)
	s.preempted = f.name == "runtime.asyncPreempt"
}

// wrapper matches the functions that the compiler makes of `go f(x)`.
var wrapper = regexp.MustCompile(`\.gowrap\d+$`)

// entry is the outermost function: the next one, unless the compiler made it and its callee is not inlined.
func entry(inner, next string) string {
	if made := wrapper.FindString(next); made != "" {
		return cmp.Or(inner, strings.TrimSuffix(next, made))
	}
	return next
}

// maybe adds the words of a frame that point to objects.
func (c *collector) maybe(w *wire, f frame, m *memory, sure []uint32) {
	for offset := uint64(0); offset+wordSize <= m.size; offset += wordSize {
		to, ok := c.objects.at(m.word(w, offset))
		switch {
		case !ok || c.descriptor[to] || slices.Contains(sure, to):
		case c.stack.preempted || f.name == "runtime.asyncPreempt":
			c.graph.edge(to)
		default:
			c.stack.maybe = append(c.stack.maybe, maybeEdge{f.name, to})
		}
	}
}

// flush ends the current goroutine.
func (c *collector) flush() {
	s := c.stack
	c.stack = nil
	if s == nil {
		return
	}
	s.entry = cmp.Or(s.entry, "the runtime")
	node := c.begin(root{kind: oneGoroutine, name: s.entry, state: s.reason, number: s.id})
	for _, f := range append(s.frames, s.refs...) {
		c.graph.edge(f)
	}
	if n, ok := c.objects.at(s.address); ok {
		c.graph.edge(n)
	}
	for _, m := range s.maybe {
		key := c.lateRoot(words, root{kind: refs.Goroutine, name: s.entry, function: m.function})
		c.later = append(c.later, laterEdge{key, m.to})
	}
	key := s.reason + "\n" + s.stack
	g := c.groups[key]
	if g == nil {
		g = &stackGroup{first: s}
		s.frames, s.refs, s.maybe, s.stack = nil, nil, nil, ""
		c.groups[key] = g
	}
	g.members = append(g.members, node)
}

// begin makes the node of a root.
func (c *collector) begin(r root) uint32 {
	c.graph.begin()
	c.roots = append(c.roots, r)
	return uint32(c.graph.nodes() - 1)
}

func (c *collector) finalizer(f finalizer) {
	c.flush()
	node := c.begin(root{kind: refs.Finalizer})
	for _, address := range []uint64{f.object, f.fn} {
		if n, ok := c.objects.at(address); ok {
			c.graph.edge(n)
		}
	}
	c.byPC[f.pc] = append(c.byPC[f.pc], node)
}

func (c *collector) other(name string, to uint64) {
	c.flush()
	if n, ok := c.objects.at(to); ok {
		node := c.begin(root{kind: refs.Other, name: name})
		c.graph.edge(n)
		c.top[finalizers] = append(c.top[finalizers], node)
	}
}

// section adds the global variables of a section.
func (c *collector) section(name string, address uint64, _ *memory, pointers pointerFunc) {
	c.flush()
	pointers(func(offset, value uint64) {
		to, ok := c.objects.at(value)
		if !ok || c.descriptor[to] {
			return
		}
		symbol := c.global(address + offset)
		if symbol == "" {
			symbol = fmt.Sprintf("%s+%#x", name, offset)
		}
		kind, t := refs.Global, globals
		if ofRuntime(symbol) {
			kind, t = refs.Runtime, own
		}
		c.later = append(c.later, laterEdge{c.lateRoot(t, root{kind: kind, name: symbol}), to})
	})
}

// maxHops bounds the way from a variable without a name to one that has one.
const maxHops = 8

// global is the global variable at an address, or the one that points to it.
func (c *collector) global(address uint64) string {
	for range maxHops {
		if symbol := c.symbols.data(address); symbol != "" || len(c.symbols.all) == 0 {
			return symbol
		}
		if address = c.pointer(address); address == 0 {
			break
		}
	}
	return ""
}

// ofRuntime reports whether a global holds what it holds for the runtime's sake: lists of all goroutines, all Ps, all
// pools.
func ofRuntime(symbol string) bool {
	return strings.HasPrefix(symbol, "runtime.") || symbol == "sync.allPools" || symbol == "sync.oldPools"
}

// A lateKey tells late roots apart.
type lateKey struct {
	tier           tier
	name, function string
}

// lateRoot is a root whose edges come from many places of the file.
func (c *collector) lateRoot(t tier, r root) uint32 {
	key := lateKey{t, r.name, r.function}
	if n, ok := c.laterNames[key]; ok {
		return n
	}
	n := uint32(len(c.laterRoots))
	c.laterRoots, c.laterTier = append(c.laterRoots, r), append(c.laterTier, t)
	c.laterNames[key] = n
	return n
}

// finish adds the roots that are above others.
func (c *collector) finish() {
	c.flush()
	for _, key := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[key]
		node := c.begin(root{kind: refs.Goroutine, name: g.first.entry, state: g.first.reason,
			number: uint64(len(g.members))})
		for _, m := range g.members {
			c.graph.edge(m)
		}
		c.top[goroutines] = append(c.top[goroutines], node)
	}
	for _, pc := range slices.Sorted(maps.Keys(c.byPC)) {
		node := c.begin(root{kind: refs.Finalizer, name: c.symbols.code(pc), number: uint64(len(c.byPC[pc]))})
		for _, m := range c.byPC[pc] {
			c.graph.edge(m)
		}
		c.top[finalizers] = append(c.top[finalizers], node)
	}
	c.finishLater()
}

func (c *collector) finishLater() {
	slices.SortFunc(c.later, func(a, b laterEdge) int { return cmp.Compare(a.root, b.root) })
	for i, e := range c.later {
		if i == 0 || e.root != c.later[i-1].root {
			t := c.laterTier[e.root]
			c.top[t] = append(c.top[t], c.begin(c.laterRoots[e.root]))
		}
		c.graph.edge(e.to)
	}
	c.later = nil
}
