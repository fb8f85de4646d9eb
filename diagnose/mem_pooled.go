package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A buffer that is used again keeps the largest size that it ever had. If one request in a hundred needs megabytes,
// each buffer of a pool has met one after a while, and all have that size.

const (
	pooledLeast = 8        // buffers of the largest size
	pooledHeap  = 32 << 20 // bytes in them
	pooledAlive = 0.5      // of those that ever grew so large: a pool loses some to the collector
	pooledEach  = 3        // buffers for each goroutine at work: more are not reused, but kept
	pooledMore  = 3        // times as much as would be by chance
	leastAnswer = 256      // bytes that an answer has at least, in the buffer that collects it
)

// A grownSize is the buffers of a user's function that have grown to the largest size there is.
type grownSize struct {
	hold.Sum // of all ways to the function
	largest  *hold.Held
	trail    int // smaller sizes of a MiB or more, none alive
}

// pooledGiants finds buffers that have grown large and are used again.
func pooledGiants(r *Reading) (f casefile.Finding, ok bool) {
	h := r.holds()
	if h == nil || h.Now.Bytes < pooledHeap {
		return f, false
	}
	of := make(hold.Sums[stacks.FuncID])
	for _, b := range h.Held {
		if b.Line != stacks.NoFrame && b.Size >= trailBlock/2 && b.Made.Objects > 0 {
			of.Add(r.Table.FuncID(b.Line), b)
		}
	}
	var best *grownSize
	for _, s := range of {
		if g := newGrownSize(s); g.reused(r) && (best == nil || g.Now.Bytes > best.Now.Bytes) {
			best = g
		}
	}
	if best == nil {
		return f, false
	}
	return best.finding(r, h), true
}

func newGrownSize(s *hold.Sum) *grownSize {
	g := &grownSize{largest: slices.MaxFunc(s.Held, func(a, b *hold.Held) int { return cmp.Compare(a.Size, b.Size) })}
	for _, b := range s.Held {
		switch {
		case b.Size == g.largest.Size:
			g.Add(b)
		case b.Now.Objects > 0:
			return &grownSize{} // sizes differ: each is what somebody needs
		default:
			g.trail++
		}
	}
	return g
}

func (g *grownSize) reused(r *Reading) bool {
	n := g.Now.Objects
	if g.trail < 2 || n < pooledLeast || g.largest.Size < trailBlock || g.Now.Bytes < pooledHeap ||
		n < pooledAlive*g.Made.Objects {
		return false
	}
	return n <= pooledEach*float64(atWork(r, g.largest.Stack)) || g.usedAgain(r)
}

// usedAgain reports whether requests, many more than there are buffers, have made no small ones at the line: one that
// is new for each request grows through all sizes from the smallest.
func (g *grownSize) usedAgain(r *Reading) bool {
	h := r.holds()
	served := servedRequests(r, h)
	if served == nil || served.Made.Objects < pooledMore*g.Made.Objects ||
		!r.Table.Has(g.largest.Stack, withRole(known.BeginsRequest)) {
		return false
	}
	small := h.Sum(func(b *hold.Held) bool {
		return b.Line == g.largest.Line && b.At == g.largest.At && b.Size <= inputObject
	})
	expected := served.Made.Objects * leastAnswer
	return expected >= hold.LeastWhole*h.Rate && (small == nil || small.Made.Bytes < expected/pooledMore)
}

// atWork is the most goroutines that any capture shows inside the user's functions of a stack, but for the outermost
// ones that everything is below.
func atWork(r *Reading, stack []stacks.FrameID) (most int64) {
	var fns []stacks.FuncID
	for _, id := range stack {
		if f := r.Table.Func(id); f.Owner == stacks.User && f.Name != "main.main" {
			fns = append(fns, r.Table.FuncID(id))
		}
	}
	for _, set := range r.Moments() {
		most = max(most, int64(r.Funcs(these(r.Table, fns...)).Sum(set, set.Count())))
	}
	return most
}

func (g *grownSize) finding(r *Reading, h *hold.Heap) casefile.Finding {
	place := r.Place(g.largest.Line)
	f := stayingFinding(r, h, &g.Sum, capUnsure, fmt.Sprintf("They are used again: of %s that ever grew so large they are "+
		"what is left, and no smaller one is", count(g.Made.Objects)))
	f.Title = fmt.Sprintf("Buffers that grew to %s at %s are kept: %s", size(g.largest.Size), place,
		things(g.Now.Objects, "buffer"))
	f.Score, f.Confidence = min(max(giantScale().Score(f.Impact.Share), worthKnowing), capUnsure), 0.8
	f.Explanation = "A buffer that is used again keeps the size that the largest request ever gave it: a few large ones " +
		"make all buffers of a pool large in the end."
	f.Remedies = []casefile.Remedy{
		doChange("Do not put back what has grown large", fmt.Sprintf("Where the buffer that grows at %s goes back (Put of a "+
			"sync.Pool, a free list, a channel, a field): drop it if its Cap() is above a limit, say 64 KiB.", place),
			"a large request allocates its buffer again"),
		doChange("Write large answers in pieces", "Flush a buffer of fixed size to the writer as it fills up "+
			"(bufio.Writer).", "the size is not known beforehand"),
	}
	return calledFrom(r, f, g.largest.Stack, g.largest.Line)
}
