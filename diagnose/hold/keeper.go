package hold

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A heap profile does not show who refers to what a line made, but it shows containers that grow: tables of a map that
// were replaced by two each, a slice that append made longer, nodes of a list or of a sync.Map. Where one grows beside
// what is kept, it is what keeps it, most likely; where none does, something else refers to it: a context, a closure, a
// call that is deferred in a loop, or few entries that keep much each.

// Keeper is the line of the user's, in the package of a sum's largest line, where a container grows; where is NoFrame
// without one.
func (h *Heap) Keeper(of *Sum) (where stacks.FrameID) {
	line := of.Held[0].Line
	if line == stacks.NoFrame {
		return stacks.NoFrame
	}
	pkg := h.Table.Func(line).Package
	return h.grows(line, func(b *Held) bool {
		return b.Line != stacks.NoFrame && h.Table.Func(b.Line).Package == pkg &&
			(b.Enter == stacks.NoFrame || h.Table.Func(b.Enter).Owner == stacks.Std)
	})
}

// KeptWithin reports whether a container grows within the library that a sum's largest line calls, below that call.
func (h *Heap) KeptWithin(of *Sum) bool {
	first := of.Held[0]
	within := func(b *Held) bool {
		return b.Line == first.Line && b.Enter != stacks.NoFrame && h.Table.Func(b.Enter).Owner == stacks.Dependency
	}
	return first.Enter != stacks.NoFrame && (h.grows(stacks.NoFrame, within) != stacks.NoFrame || h.fewBlocksSplit(within))
}

// KeptByReceiver reports whether a container grows below a method of the standard library's that a sum's largest line
// calls: the receiver keeps what it was given by name, as a set of templates does.
func (h *Heap) KeptByReceiver(of *Sum) bool {
	first := of.Held[0]
	if first.Enter == stacks.NoFrame {
		return false
	}
	f := h.Table.Func(first.Enter)
	return f.Owner == stacks.Std && receiver(f.Name) != "" && !isContainer(f) && h.fewBlocksSplit(func(b *Held) bool {
		return b.Line == first.Line && b.Enter != stacks.NoFrame && h.Table.Func(b.Enter) == f
	})
}

// fewBlocksSplit reports whether about half of the large blocks that match have been freed, and they are few beside the
// small objects that are alive: tables and arrays of a container, which made way for larger ones. What each call needs
// for itself is as many as the calls.
func (h *Heap) fewBlocksSplit(match func(*Held) bool) bool {
	var small, blocks Sum
	for _, b := range h.Held {
		switch {
		case !match(b):
		case b.Size >= leastTable:
			blocks.Add(b)
		default:
			small.Add(b)
		}
	}
	return blocks.Samples >= leastSame && blocks.HasSplit() && blocks.Made.Objects*entriesOfBlock <= small.Now.Objects
}

// entriesOfBlock is how many entries a block of 2 KiB or more has at least: a smaller number is no container's.
const entriesOfBlock = 20

// grows is the user's line with most bytes of containers that grow, of those that match. What the line but makes itself
// is what is kept, of any size, and no container.
func (h *Heap) grows(but stacks.FrameID, match func(*Held) bool) (where stacks.FrameID) {
	at := make(map[stacks.FrameID][]*Held)
	where, most := stacks.NoFrame, 0.0
	for _, b := range h.Held {
		if !match(b) {
			continue
		}
		if h.Table.Has(b.Inside(), isContainer) && b.Now.Bytes > most {
			where, most = b.Line, b.Now.Bytes
		}
		if b.At != but && h.Table.Func(b.At).Owner != stacks.Std {
			at[b.At] = append(at[b.At], b)
		}
	}
	for _, blocks := range at {
		if bytes := h.grownBlocks(blocks); bytes > most {
			where, most = blocks[0].Line, bytes
		}
	}
	return where
}

func isContainer(f *stacks.Func) bool {
	return f.Does(known.HoldsBoxes, known.OfMap, known.MakesMap, known.FillsMap)
}

// Bounds of blocks that are a container's. A map that has n full tables has made 2n−1 of their size (Go 1.24 and
// later); a slice that append makes longer goes through sizes of which the largest alone is alive. Of few samples a
// share is chance: then what was made may be twice what is there.
const (
	leastTable, mostTable = 2 << 10, 512 << 10 // bytes: 8 slots to 1,024, for keys and values of 128 bytes at most
	leastSplit, mostSplit = 1.5, 2.6
	leastSteps            = 3
)

// MayBeTable reports whether objects have the size of a map's tables.
func (b *Held) MayBeTable() bool { return b.Size >= leastTable && b.Size <= mostTable }

// HasSplit reports whether as many of some blocks have died as live: tables that were full and made way for two.
func (s *Sum) HasSplit() bool {
	return s.Made.Bytes >= leastSplit*s.Now.Bytes && s.Made.Bytes <= mostSplit*s.Now.Bytes
}

// grownBlocks is how many bytes of the blocks of one place are those of a container that grew; 0 if they are not.
func (h *Heap) grownBlocks(blocks []*Held) float64 {
	var tables Sum
	largest := blocks[0]
	sizes := make(map[int64]bool)
	for _, b := range blocks {
		if b.Size > largest.Size {
			largest = b
		}
		if b.Size >= leastTable {
			sizes[int64(b.Size)] = true
		}
		if b.MayBeTable() {
			tables.Add(b)
		}
	}
	made, now := tables.Made.Bytes, tables.Now.Bytes
	if tables.Samples >= leastSame && (tables.HasSplit() || made > leastSplit*now &&
		asMany(made, made/h.Rate, 2*now, tables.Samples)) {
		return now
	}
	for _, b := range blocks {
		if b != largest && b.Now.Objects > 0 {
			return 0
		}
	}
	if len(sizes) < leastSteps || !largest.WholeIsAlive() {
		return 0
	}
	return largest.Now.Bytes
}

// Store is a call of a library's method that most likely keeps what a sum's largest line made: it is made in that
// line's function, or one that called it, and as many small objects are alive below it. NoFrame without one.
func (h *Heap) Store(of *Sum) (line, enter stacks.FrameID) {
	first := of.Held[0]
	below := make(Sums[Call])
	made := 0.0
	for _, b := range h.Held {
		switch {
		case b.Line == first.Line && b.At == first.At:
			made += b.Now.Objects
		case b.Size <= largestNode && !b.Pooled(h.Table) && b.Line != first.Line && b.Enter != stacks.NoFrame &&
			h.onWay(b.Line, first.Stack) &&
			h.Table.Func(b.Enter).Owner == stacks.Dependency && receiver(h.Table.Func(b.Enter).Name) != "":
			below.Add(b.Call(), b)
		}
	}
	best := Call{stacks.NoFrame, stacks.NoFrame}
	for k, s := range below {
		expected := 0.0
		for _, b := range s.Held {
			if b.Now.Objects > 0 {
				expected += made * b.Size / h.Rate
			}
		}
		if s.Samples >= leastNodes && math.Abs(s.Samples-expected) <= 2*math.Sqrt(expected) &&
			(best.Line == stacks.NoFrame || s.Samples > below[best].Samples) {
			best = k
		}
	}
	return best.Line, best.Enter
}

// An entry of a list, a map or a tree has a node or a value of some words; a table of many entries is larger. One
// sample may be of anything.
const largestNode, leastNodes = 512, 2

// MayHang reports whether what a sum's largest line made may hang, piece by piece, on what another call keeps: the one is
// on the way to the other, and is not fewer.
func (h *Heap) MayHang(of, on *Sum) bool {
	a, b := of.Held[0], on.Held[0]
	return (h.onWay(a.Line, b.Stack) || h.onWay(b.Line, a.Stack)) && NotFewer(of, on)
}

// Evicts is the call of a library's cache that is given something in the function of a sum's largest line, or in the one
// that called it, and lets most of that go again. false without one.
func (h *Heap) Evicts(of *Sum) (Call, bool) {
	line, near := of.Held[0].Line, make(map[stacks.FuncID]bool)
	for _, id := range of.Held[0].Stack[len(of.Held[0].Inside()):] {
		if h.Table.Func(id).Owner == stacks.User && len(near) < 2 {
			near[h.Table.FuncID(id)] = true
		}
	}
	given := make(Sums[Call])
	for _, b := range h.Held {
		if f := b.Enter; line != stacks.NoFrame && f != stacks.NoFrame && b.Line != stacks.NoFrame &&
			near[h.Table.FuncID(b.Line)] && h.Table.Func(f).Owner == stacks.Dependency &&
			h.Table.Func(f).Does(known.CachesByPointer) {
			given.Add(b.Call(), b)
		}
	}
	call, s := given.Most(func(s *Sum) float64 { return s.Made.Bytes })
	return call, s != nil && min(s.Made.Bytes/h.Rate, s.Made.Objects) >= LeastKept && s.Now.Bytes <= s.Made.Bytes/2
}

// NotFewer reports whether there are as many objects of one sum as of what another has most certainly, or several for
// each, as far as samples can tell.
func NotFewer(of, on *Sum) bool {
	b := on.MostSampled()
	return of.Now.Objects >= b.Now.Objects*(1-2/math.Sqrt(max(b.Samples(b.Now), 1)))
}

// MostSampled is what is known best of a sum: how many are alive.
func (s *Sum) MostSampled() *Held {
	return slices.MaxFunc(s.Held, func(a, b *Held) int { return cmp.Compare(a.Samples(a.Now), b.Samples(b.Now)) })
}

// onWay reports whether a stack goes through the function of a line.
func (h *Heap) onWay(line stacks.FrameID, stack []stacks.FrameID) bool {
	return slices.ContainsFunc(stack, func(id stacks.FrameID) bool { return h.Table.FuncID(id) == h.Table.FuncID(line) })
}

// EachCall is what each call of a library by a sum's largest line keeps, at least: what is kept of all, by the number
// of the objects that are made most seldom there, of which each call makes one. ok is false if the sum's largest part
// is not a library's, or too few samples tell.
func (h *Heap) EachCall(of *Sum) (each Count, ok bool) {
	first := of.Held[0]
	if first.Enter == stacks.NoFrame || h.Table.Func(first.Enter).Owner != stacks.Dependency {
		return each, false
	}
	all := h.Sum(func(b *Held) bool {
		return b.Line == first.Line && b.Enter != stacks.NoFrame && h.Table.FuncID(b.Enter) == h.Table.FuncID(first.Enter)
	})
	fewest := 0.0
	for _, s := range By(all.Held, PlaceOf) {
		// a container of the library's that grows makes blocks seldom, too, and frees some: for no call
		grows := s.Now.Bytes > 0 && s.Now.Bytes < AllKept*s.Made.Bytes && slices.ContainsFunc(s.Held, (*Held).MayBeTable)
		if !grows && min(s.Made.Bytes/h.Rate, s.Made.Objects) >= leastSame && (fewest == 0 || s.Made.Objects < fewest) {
			fewest = s.Made.Objects
		}
	}
	if fewest == 0 {
		return each, false
	}
	return Count{all.Now.Objects / fewest, all.Now.Bytes / fewest}, true
}

// ByType is what the standard library keeps of types, for work and not for a start: of its lines of the user's the
// first makes types at run time, if one does. Types are never freed, nor what is kept for each. nil without any.
func (h *Heap) ByType() *Sum {
	is := func(role known.Role) func(*stacks.Func) bool {
		return func(f *stacks.Func) bool { return f.Is(role) }
	}
	of := h.Sum(func(b *Held) bool { return b.Line != stacks.NoFrame && h.Table.Has(b.Inside(), is(known.KeepsByType)) })
	rank := func(b *Held) int { // what makes a type is first
		if h.Table.Has(b.Inside(), is(known.MakesType)) {
			return 0
		}
		return 1
	}
	if of != nil {
		slices.SortStableFunc(of.Held, func(a, b *Held) int {
			return cmp.Compare(rank(a), rank(b))
		})
	}
	return of
}
