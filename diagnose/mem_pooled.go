package diagnose

import (
	"fmt"

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

const putBackTitle = "Do not put back what has grown large"

// A grownSize is the buffers of a user's function that have grown to the largest size there is.
type grownSize struct {
	line    stacks.FrameID // that made them so large
	largest *hold.Held
	sum     hold.Sum // of all ways to the function
	trail   int      // smaller sizes of a MiB or more, none alive
}

// pooledGiants finds buffers that have grown large and are used again.
func pooledGiants(r *Reading) (f casefile.Finding, ok bool) {
	h := r.holds()
	if h == nil || h.Now.Bytes < pooledHeap {
		return f, false
	}
	at := make(map[stacks.FuncID]*grownSize)
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame || b.Size < trailBlock || b.Made.Objects == 0 {
			continue
		}
		g := at[r.Table.FuncID(b.Line)]
		if g == nil {
			g = &grownSize{largest: b}
			at[r.Table.FuncID(b.Line)] = g
		}
		if b.Size > g.largest.Size {
			g.largest, g.sum = b, hold.Sum{}
		}
		g.line = g.largest.Line
		if b.Size == g.largest.Size {
			g.sum.Add(b)
		}
	}
	var best *grownSize
	for _, b := range h.Held {
		fn := r.Table.FuncID(b.Line)
		if g := at[fn]; g != nil && b.Size >= trailBlock/2 && b.Size < g.largest.Size {
			if g.trail++; b.Now.Objects > 0 {
				delete(at, fn) // sizes differ: each is what somebody needs
			}
		}
	}
	for _, g := range at {
		if g.reused(r) && (best == nil || g.sum.Now.Bytes > best.sum.Now.Bytes) {
			best = g
		}
	}
	if best == nil {
		return f, false
	}
	return best.finding(r, h), true
}

func (g *grownSize) reused(r *Reading) bool {
	n := g.sum.Now.Objects
	if g.trail < 2 || n < pooledLeast || g.sum.Now.Bytes < pooledHeap || n < pooledAlive*g.sum.Made.Objects {
		return false
	}
	return n <= pooledEach*float64(atWork(r, g.largest.Stack)) || g.usedAgain(r)
}

// usedAgain reports whether requests, many more than there are buffers, have made no small ones at the line: one that
// is new for each request grows through all sizes from the smallest.
func (g *grownSize) usedAgain(r *Reading) bool {
	h := r.holds()
	served := servedRequests(r, h)
	if served == nil || served.Made.Objects < pooledMore*g.sum.Made.Objects ||
		!r.Table.Has(g.largest.Stack, withRole(known.BeginsRequest)) {
		return false
	}
	small := h.Sum(func(b *hold.Held) bool { return b.Line == g.line && b.At == g.largest.At && b.Size <= inputObject })
	expected := served.Made.Objects * leastAnswer
	return expected >= keptFew*h.Rate && (small == nil || small.Made.Bytes < expected/pooledMore)
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
		most = max(most, int64(r.These(fns...).Sum(set, set.Count())))
	}
	return most
}

func (g *grownSize) finding(r *Reading, h *hold.Heap) casefile.Finding {
	share, place := min(g.sum.Now.Bytes/h.Now.Bytes, 1), r.Place(g.line)
	f := casefile.Finding{
		Title: fmt.Sprintf("Buffers that grew to %s at %s are kept: %s", size(g.largest.Size), place,
			things(g.sum.Now.Objects, "buffer")),
		Score: min(max(giantScale().Score(share), worthKnowing), capUnsure), Confidence: 0.8,
		Summary: fmt.Sprintf("%s that grew at %s hold %s, %s of the live heap, and are used again; of %s that ever "+
			"grew so large they are what is left, and no smaller one is.",
			objectsText(g.sum.Now), place, size(g.sum.Now.Bytes), percent(share), count(g.sum.Made.Objects)),
		Explanation: "A buffer that is used again keeps the size that the largest request ever gave it. A few large " +
			"requests make all buffers of a pool large in the end, and most of their room is never used again.",
		Where: []casefile.Frame{r.Frame(g.line, share, "makes buffers grow that stay (share of the live heap)")},
		Remedies: []casefile.Remedy{
			doChange(putBackTitle, fmt.Sprintf("Where the buffer that grows at %s goes back "+
				"(Put of a sync.Pool, a free list, a channel, a field): if its Cap() is above a limit, say 64 KiB, drop "+
				"it, and the collector frees it.", place), "a large request allocates its buffer again"),
			doChange("Write large answers in pieces", "Flush a buffer of fixed size to the writer as it fills up "+
				"(bufio.Writer) instead of collecting the whole answer.", "the size is not known beforehand"),
		},
		Evidence: Basis(h.Last),
	}
	f.Impact = ofLiveHeap(share, share/2, share, fmt.Sprintf("nearly all %s if most requests need little",
		size(g.sum.Now.Bytes)))
	return calledFrom(r, f, g.largest.Stack, g.line)
}
