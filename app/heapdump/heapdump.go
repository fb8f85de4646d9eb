// Package heapdump says who holds the memory of a Go process. A heap profile names the lines that allocated what is
// alive; it does not say what keeps it alive. A heap dump does: debug.WriteHeapDump writes every object, every global
// variable and every stack frame, with their pointers.
//
// The file is read three times and never held: once for the objects (objects.go), once for the pointers (collect.go),
// and once for the few objects that the answer shows (details.go). Objects are bits of spans, pointers are indexes of
// four bytes, the dominator tree (dominators.go) five arrays of four bytes a node. From the tree come the holders
// (holders.go), each with the shortest chain of pointers from its root (chain.go).
//
// The format is that of runtime/heapdump.go in Go 1.22 to 1.27. It has no names of types, no field names, no symbols of
// globals and not the cleanups of runtime.AddCleanup; the program's binary has the symbols (binary.go).
package heapdump

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/google/pprof/profile"
)

// Options are what goes with a dump. The zero value is useful.
type Options struct {
	Binary  string           // path of the program's ELF binary: names for globals; "": none
	Profile *profile.Profile // a heap profile of the process, whose largest sites are looked up; nil: those of the dump
	Rows    int              // holders and sites at most; 0: 10
	Stacks  int              // of the dump's heap profile, at most; 0: none
}

// defaultRows of the tables.
const defaultRows = 10

// Read reads a dump. One that is damaged or cut off is read up to there, with a warning; a file that is none is an
// error.
func Read(ctx context.Context, name string, f io.ReaderAt, o Options) (*refs.Summary, error) {
	o.Rows = cmp.Or(o.Rows, defaultRows)
	s, err := newSurvey(ctx, f)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.params.Version == "" {
		return nil, cmp.Or(err, errors.New("the dump ends before it begins"))
	}
	out := &refs.Summary{Name: name, Version: s.params.Version, Arch: s.params.Arch, Objects: s.objects.count,
		Bytes: s.objects.bytes, Routines: len(s.descriptors), Memory: s.stats}
	if err != nil {
		out.Warn("the dump is read up to here: %v", err)
	}
	if s.objects.count == 0 || len(s.descriptors) == 0 && len(s.sections) == 0 {
		out.Warn("it has no roots: who holds its %d objects is not known", s.objects.count)
		return out, nil
	}
	if len(s.sections) < 2 {
		out.Warn("global variables are missing: what they hold counts as not reached")
	}
	var syms symbols
	if o.Binary != "" {
		if syms, err = openBinary(o.Binary, s); err != nil {
			return nil, err
		}
		defer syms.close()
		out.Symbols = true
	}
	a, err := analyse(ctx, f, s, syms)
	if err != nil {
		return nil, err
	}
	a.fill(out, o)
	a.release()
	a.details(f, out)
	return out, nil
}

// manyObjects is where a collection pays off.
const manyObjects = 1 << 20

// An analysis is a dump with its dominator tree.
type analysis struct {
	*survey
	symbols symbols
	roots   []root
	numbers *numbering
	tree    *tree
}

func analyse(ctx context.Context, f io.ReaderAt, s *survey, syms symbols) (*analysis, error) {
	c := collect(ctx, f, s, syms)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a := &analysis{survey: s, symbols: syms, roots: c.roots, numbers: newNumbering(&c.graph, c.top)}
	a.collect()
	a.numbers.turn(&c.graph, c.top)
	for i := range s.samples {
		s.samples[i].number = a.numbers.number[s.samples[i].object]
	}
	c, a.numbers.number = nil, nil
	a.collect()
	idom := a.numbers.dominators()
	a.collect()
	a.tree = newTree(idom, a.size)
	return a, nil
}

// collect gives back what the step before needed, in a large dump: each step needs about as much as the one before.
func (a *analysis) collect() {
	if a.objects.count > manyObjects {
		debug.FreeOSMemory()
	}
}

// release gives back the graph and the tree: what is left to do, details, asks for types and symbols only. The last
// reading makes garbage, of which there may be as much as is alive.
func (a *analysis) release() {
	a.numbers, a.tree, a.roots, a.samples = nil, nil, nil, nil
	a.objects = objects{count: a.objects.count}
	a.collect()
}

// isRoot reports whether a number is that of a root.
func (a *analysis) isRoot(number uint32) bool {
	return number == 0 || a.numbers.node[number] >= a.objects.count
}

// root is the root of a number.
func (a *analysis) root(number uint32) *root { return &a.roots[a.numbers.node[number]-a.objects.count] }

// size is what a number has itself.
func (a *analysis) size(number uint32) (uint64, uint32) {
	if a.isRoot(number) {
		return 0, 0
	}
	return a.objects.size(a.numbers.node[number]), 1
}

// fill answers.
func (a *analysis) fill(out *refs.Summary, o Options) {
	out.Reached = refs.Amount{Bytes: a.tree.bytes[0], Objects: a.tree.objects[0]}
	out.Roots = a.byKind()
	found := a.tree.holders(a.objectSize)
	owner, roots := a.owners(found), a.rootsOf(found)
	for i, h := range found[:min(o.Rows, len(found))] {
		holder := a.holder(h, roots[i])
		holder.Allocated = a.allocated(owner, uint8(i)+1)
		out.Holders = append(out.Holders, holder)
	}
	out.Sites = a.sites(o, owner, roots)
	out.Stacks = a.stacks(o.Stacks, owner, roots)
}

// tierKinds are the kinds of roots that tiers mostly have.
var tierKinds = [tiers]refs.RootKind{globals: refs.Global, goroutines: refs.Goroutine, finalizers: refs.Finalizer,
	timers: refs.Timer, words: refs.Goroutine, own: refs.Runtime}

// byKind adds up what the roots of each kind hold. What several roots of a tier hold counts for the tier.
func (a *analysis) byKind() []refs.RootAmount {
	var sums [tiers]refs.Amount
	for i := 1; i < len(a.tree.idom); i++ {
		if a.tree.idom[i] == 0 {
			sum := &sums[a.numbers.tier(uint32(i))]
			sum.Bytes += a.tree.bytes[i]
			sum.Objects += a.tree.objects[i]
		}
	}
	byKind := make(map[refs.RootKind]*refs.RootAmount)
	for t, sum := range sums {
		kind := tierKinds[t]
		if byKind[kind] == nil {
			byKind[kind] = &refs.RootAmount{Kind: kind}
		}
		byKind[kind].Bytes += sum.Bytes
		byKind[kind].Objects += sum.Objects
	}
	var out []refs.RootAmount
	for _, r := range byKind {
		if r.Objects > 0 {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(x, y refs.RootAmount) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Kind, y.Kind))
	})
	return out
}

const (
	maxChain = 12 // steps of a chain that are kept; a list has as many as it has elements
	maxAlso  = 3
	maxParts = 5
)

func (a *analysis) holder(h held, above refs.Root) refs.Holder {
	out := refs.Holder{Amount: refs.Amount{Bytes: h.bytes, Objects: h.objects},
		Share: float64(h.bytes) / float64(max(a.tree.bytes[0], 1)), Root: above}
	for _, p := range h.parts[:min(len(h.parts), maxParts)] {
		out.Parts = append(out.Parts, a.part(p))
	}
	if a.isRoot(h.number) {
		return out
	}
	for _, n := range a.numbers.shared(h.number, a.isRoot, maxShared) {
		r := a.rootOf(n)
		known := func(k refs.Root) bool { return k.Kind == r.Kind && k.Name == r.Name }
		if !known(out.Root) && !slices.ContainsFunc(out.Also, known) && len(out.Also) < maxAlso {
			out.Also = append(out.Also, r)
		}
	}
	return out
}

// rootAbove is the root on the shortest chain to a number.
func (a *analysis) rootAbove(number uint32) refs.Root {
	chain := a.numbers.chain(number, a.isRoot)
	if len(chain) == 0 {
		return refs.Root{Kind: refs.Garbage}
	}
	return a.rootOf(chain[0])
}

func (a *analysis) part(h held) refs.Part {
	out := refs.Part{Amount: refs.Amount{Bytes: h.bytes, Objects: h.objects}}
	chain := a.numbers.chain(h.number, a.isRoot)
	if len(chain) == 0 {
		return out
	}
	out.Function = a.rootOf(chain[0]).Function
	skipped := 0
	for i, n := range chain[1:] {
		if len(chain) > maxChain && i >= maxChain/2 && i < len(chain)-maxChain/2 {
			skipped++
			continue
		}
		node := a.numbers.node[n]
		out.Chain = append(out.Chain, refs.Step{Address: a.objects.address(node), Size: a.objects.size(node),
			Holds: a.tree.bytes[n], Skipped: skipped})
		skipped = 0
	}
	return out
}

// rootOf describes a root, and those above it.
func (a *analysis) rootOf(number uint32) refs.Root {
	var out refs.Root
	for _, n := range a.numbers.above(number) {
		r := a.root(n)
		switch r.kind {
		case stackFrame:
			out.Function = a.userFrame(n)
		case oneGoroutine:
			out.ID = r.number
		default:
			out.Kind, out.Name, out.State, out.Number = r.kind, r.name, r.state, r.number
			out.Unsure = r.function != ""
			out.Function = cmp.Or(out.Function, r.function)
		}
	}
	if out.Number > 1 {
		out.ID = 0 // one of many
	}
	return out
}

// userFrame is the function of a frame, or of the first one above it that is not the runtime's. The frames of a
// goroutine follow each other.
func (a *analysis) userFrame(number uint32) string {
	frames := a.roots[a.numbers.node[number]-a.objects.count:]
	for _, r := range frames {
		if r.kind != stackFrame {
			break
		}
		if !strings.HasPrefix(r.name, "runtime.") {
			return r.name
		}
	}
	return frames[0].name
}

// objectSize is the size of an object; 0 of a root.
func (a *analysis) objectSize(number uint32) uint64 {
	n, _ := a.size(number)
	return n
}
