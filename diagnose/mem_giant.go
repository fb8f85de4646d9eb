package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// giantScale is in shares of the live heap held by a few giant objects.
func giantScale() Scale { return Scale{Worth: 0.3, Hurts: 0.8} }

// A giant is an object of 16 MiB or more: copying one takes some milliseconds, and one more can exceed the limit.
const (
	giantObject = 16 << 20
	giantHeap   = 64 << 20 // of live heap, or of giants made in a cycle, below which nothing is at stake
)

// giantChurn is in giant objects allocated a minute: each is zeroed or copied as a whole, and a cycle runs every time
// the heap has grown by as much again.
func giantChurnScale() Scale { return Scale{Worth: 6, Hurts: 120, Top: 3000} }

func memGiant() Detector {
	return Detector{
		ID:    "MEM002",
		Kind:  "mem-giant",
		Title: "A few giant objects make the peak of memory",
		Text: `Objects of 16 MiB or more at one line of the user's, or large buffers that stay, up to 74. Three forms:

Live: they hold 30 % of a heap of 64 MiB or more (hurting from 80 %) and were made by growing (append, io.ReadAll), as
their stack or a trail of smaller blocks shows: old and new are alive at once. A table made at its full size is a
notice if a rule tripped by memory and it is half of 256 MiB that came, also when it is gone by now. Below 256 MiB it
is undecided if no collection ran.

Reused: 8 blocks or more of the largest size that a line's buffers grow to, from 1 MiB each and 32 MiB in all, half of
all that ever grew so large, no smaller one alive; and no more than three a goroutine at work, or of many requests
hardly any made a small one. A rare large request makes all of them large in the end.

Made again and again: 6 a minute between two captures, hurting from 120: each request needs that much at its peak.
Where a library makes them in one size, they do not follow the input: they are reused, or fewer run at once.`,
		Needs:      needHeap("the sizes of objects are not in other evidence"),
		Before:     `body, err := io.ReadAll(r.Body); json.Unmarshal(body, &rows) // the upload twice in memory`,
		After:      `dec := json.NewDecoder(r.Body); for dec.More() { dec.Decode(&row); insert(row) } // a row at a time`,
		Explains:   related(nil, "gc-cpu", "gc-death-spiral", "mem-fragmentation", "mem-limit-near"),
		Absorbs:    related(SameFunction, "alloc-site", "cpu-hot-function"),
		NeedsPlace: true,
		IsHeld:     true,
		Effect:     "Memory is used up at once",
		Run:        runMemGiant,
	}
}

// A giant is what one line of the user's code has in giant objects: alive, or ever made.
type giant struct {
	hold.Count
	at              stacks.FrameID
	stack           []stacks.FrameID // of the most bytes
	largest, second block            // of the sizes
	made            *hold.Sum        // all of the line, of any size
}

// A block is objects of one size.
type block struct{ size, objects float64 }

func (g *giant) mean() float64 {
	if g.copied() > 0 {
		return g.largest.size
	}
	return g.Bytes / max(g.Objects, 1)
}

// leastGrowthStep and mostGrowthStep are the least and the most that append makes a slice larger by: a quarter, or
// twice (runtime.nextslicecap), with some room for rounding up to pages and size classes.
const leastGrowthStep, mostGrowthStep = 1.2, 2.1

// copied is how many bytes are alive only because the collection ran while append was copying: a second block, by one
// step smaller than the largest, and no more of them.
func (g *giant) copied() float64 {
	step := g.largest.size / max(g.second.size, 1)
	if step < leastGrowthStep || step > mostGrowthStep || g.second.objects > g.largest.objects {
		return 0
	}
	return g.second.size * g.second.objects
}

// giants are the lines with objects of 16 MiB or more, alive or made, the largest first. Each stack counts by itself:
// small objects of the same line must not hide it.
func giants(h *hold.Heap, of func(*hold.Held) hold.Count) (out []*giant) {
	at := make(map[stacks.FrameID]*giant)
	most := make(map[stacks.FrameID]float64)
	for _, b := range h.Held {
		c := of(b)
		if b.Line == stacks.NoFrame || c.Objects <= 0 || c.Bytes < giantObject*max(c.Objects, 1) {
			continue
		}
		g := at[b.Line]
		if g == nil {
			g = &giant{at: b.Line, made: h.Sum(func(x *hold.Held) bool { return x.Line == b.Line })}
			at[b.Line], out = g, append(out, g)
		}
		g.Objects, g.Bytes = g.Objects+c.Objects, g.Bytes+c.Bytes
		switch n := (block{c.Bytes / c.Objects, c.Objects}); {
		case n.size > g.largest.size:
			g.largest, g.second = n, g.largest
		case n.size == g.largest.size: // by another way to the same line
			g.largest.objects += n.objects
		case n.size > g.second.size:
			g.second = n
		}
		if c.Bytes > most[b.Line] {
			g.stack, most[b.Line] = b.Stack, c.Bytes
		}
	}
	slices.SortFunc(out, func(a, b *giant) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.at, b.at)) })
	return out
}

func alive(b *hold.Held) hold.Count { return b.Now }

func everMade(b *hold.Held) hold.Count { return b.Made }

// blocks are how many sizes of at least so much the line has made, and their bytes.
func (g *giant) blocks(least float64) (sizes int, bytes float64) {
	seen := make(map[int64]bool)
	for _, b := range g.made.Held {
		if b.Size >= least && b.Made.Objects > 0 {
			seen[int64(b.Size)], bytes = true, bytes+b.Made.Bytes
		}
	}
	return len(seen), bytes
}

// Growing leaves a trail: an append makes a block a quarter larger than the last, so that four times as much as lives
// has been allocated, in blocks of different sizes. A heap profile leaves out runtime.growslice itself.
const (
	trailBlock = 1 << 20
	trailSizes = 3
	trailBytes = 2.0 // times what lives
)

// isGrowing knows what makes a buffer larger step by step.
func isGrowing(f *stacks.Func) bool {
	return f.Does(grows()...) || f.Does(known.GrowsOnce)
}

// grown reports whether a giant was made by growing.
func (g *giant) grown(r *Reading) bool {
	if r.Table.Has(g.stack, isGrowing) {
		return true
	}
	sizes, bytes := g.blocks(trailBlock)
	return sizes >= trailSizes && bytes >= trailBytes*(g.Bytes-g.copied()) && fixedInside(r, g.at) == nil
}

func isInit(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.Contains(base, ".init.") || strings.HasSuffix(base, ".init")
}

func runMemGiant(_ context.Context, r *Reading) Answer {
	if f, ok := pooledGiants(r); ok {
		return found(f)
	}
	if f, ok := giantChurn(r); ok {
		return found(f)
	}
	h := r.heap()
	if f, ok := giantGone(r, h); ok {
		return found(f)
	}
	if h.liveBytes < giantHeap {
		return Answer{}
	}
	for _, g := range giants(h.held(), alive) {
		limit := capUnsure
		if !g.grown(r) {
			if !filledByOne(r, g) {
				continue // a table that was made in its size
			}
			limit = capNotice
		}
		if rate, ok := r.Mean(vitals.GCRate); ok && rate == 0 && g.Bytes < smallHeap {
			return undecided(fmt.Sprintf("the heap profile shows %s at %s, made before the last collection; none has "+
				"run since the capture began, so it may be garbage",
				things(g.Objects, "object")+" of "+size(g.Bytes/g.Objects), r.Place(g.at)), captureHeapNow)
		}
		share := g.Bytes / h.liveBytes
		if score := min(giantScale().Score(share), limit); score >= worthKnowing {
			text := fmt.Sprintf("%s of the %s live heap is in %s", percent(share), size(h.liveBytes), objectsText(g.Count))
			if g.copied() > 0 {
				text += fmt.Sprintf("; the last collection ran while a slice of %s was copied into one of %s: it "+
					"grows by append", size(g.second.size), size(g.largest.size))
			}
			f := giantFinding(r, g, h.set, score, text)
			f.Impact = ofLiveHeap(share, share/5, share, fmt.Sprintf("%s of %s: all of it if the object does not have to "+
				"be in memory as a whole, a fifth if only its unused space is saved", size(g.Bytes), size(h.liveBytes)))
			return found(f)
		}
	}
	return Answer{}
}

// giantGone judges the object that filled the heap when a rule tripped by it, and that is not alive any more.
func giantGone(r *Reading, h *heapView) (casefile.Finding, bool) {
	if h.set == nil || h.liveBytes >= giantHeap {
		return casefile.Finding{}, false
	}
	for _, g := range giants(h.held(), everMade) {
		if filledByOne(r, g) {
			return giantFinding(r, g, h.set, capNotice, fmt.Sprintf("%s of %s allocated since the process began, and "+
				"the heap rose by %s when the rule tripped", things(g.Objects, "object"), size(g.mean())+" was",
				size(heapRise(r)))), true
		}
	}
	return casefile.Finding{}, false
}

// giantChurn judges giants that come and go between two captures.
func giantChurn(r *Reading) (casefile.Finding, bool) {
	set := r.Gained(casefile.Heap, casefile.Allocs)
	if set == nil || set.Seconds < 1 {
		return casefile.Finding{}, false
	}
	gs := giants(hold.New(set, nil), everMade)
	if len(gs) == 0 {
		return casefile.Finding{}, false
	}
	g := gs[0]
	perMinute := g.Objects / set.Seconds * 60
	score := min(giantChurnScale().Score(perMinute), capUnsure)
	if v := r.cpu(); v != nil && v.level.idle() {
		score = min(score, capNotice)
	}
	fixed := fixedInside(r, g.at)
	if fixed != nil && computesMore(r, g.at) {
		score = min(score, worthKnowing)
	}
	if score < worthKnowing || g.Bytes < giantHeap {
		return casefile.Finding{}, false
	}
	f := giantFinding(r, g, set, score, fmt.Sprintf("%s objects of %s on average were allocated in %s, %s a minute",
		count(g.Objects), size(g.mean()), seconds(set.Seconds), count(perMinute)))
	if fixed != nil {
		fixed.says(&f, r.Place(g.at))
	}
	total := float64(set.Total(stacks.ByValue(set.Value("alloc_space", "bytes"))))
	part := g.Bytes / max(total, 1)
	f.Impact = ofMemory(part, part/2, part, fmt.Sprintf("%s of all that is allocated; %s at once for each", percent(part),
		size(g.mean())), fmt.Sprintf("%s in %s, all of it if read in pieces, half if the size is known beforehand",
		size(g.Bytes), seconds(set.Seconds)))
	return f, true
}

func giantFinding(r *Reading, g *giant, set *stacks.Set, score int, text string) casefile.Finding {
	f := casefile.Finding{
		Title:      fmt.Sprintf("Objects of %s are allocated at %s", size(g.mean()), r.Place(g.at)),
		Score:      score,
		Confidence: 0.95, // objects above the sampling rate are all seen
		Summary:    fmt.Sprintf("At %s %s.", r.Place(g.at), text),
		Explanation: "A few requests with giant objects at the same time decide whether a process is killed. A slice that " +
			"grows to its size is copied at every step, and old and new are alive together.",
		Where: []casefile.Frame{r.Frame(g.at, g.Bytes/max(float64(
			set.Total(stacks.ByValue(set.Value("alloc_space", "bytes")))), g.Bytes, 1), "allocates giant objects")},
		Evidence: Basis(set),
	}
	f.Remedies = giantRemedies(r, g)
	return madeWithin(r, calledFrom(r, f, g.stack, g.at), g.stack, g.at)
}

// giantRemedies depend on whether something is read as a whole, or added to as long as the process runs.
func giantRemedies(r *Reading, g *giant) []casefile.Remedy {
	stream := doChange("Work on pieces", "Stream with json.Decoder, bufio.Scanner, io.Copy or rows of a cursor, with a "+
		"reused buffer.", "no second pass over the data")
	sized := doChange("Make it once, at its full size", "make([]T, 0, n) or Buffer.Grow(n) if n is known (Content-Length, "+
		"a count query), limited by http.MaxBytesReader.", "a wrong size in a header must be limited")
	split := doChange("Split it", "Blocks of 64 KiB to 1 MiB instead of one slice: growing copies nothing.",
		"one more index for each access")
	if h := r.holds(); h != nil && growsInPlace(h, g.at) != nil {
		return []casefile.Remedy{boundIt(), split}
	}
	switch {
	case !g.grown(r):
		return []casefile.Remedy{stream, split, sized}
	case g.grownOnce():
		return []casefile.Remedy{doChange("Bound it, or make it once", "It was made once since the process began: if "+
			"entries are added all the time, limit their number; if it is loaded, make([]T, 0, n).", "old entries are gone"),
			split, stream}
	}
	return []casefile.Remedy{stream, sized, split}
}

// grownOnce reports whether the line has allocated each size of its blocks once: it made nothing but what lives.
func (g *giant) grownOnce() bool {
	sizes, _ := g.blocks(trailBlock)
	return sizes >= trailSizes && !slices.ContainsFunc(g.made.Held, func(b *hold.Held) bool {
		return b.Size >= trailBlock && b.Made.Objects > max(g.largest.objects, 1)
	})
}

// filledByOne reports whether a rule tripped by memory because a line made giants: they are most of what came, those
// that are gone among them.
func filledByOne(r *Reading, g *giant) bool {
	rose := heapRise(r)
	_, made := g.blocks(giantObject)
	return trippedByClass(r, ofHeld) && rose >= filledLeast && 2*max(made, g.Bytes) >= rose
}
