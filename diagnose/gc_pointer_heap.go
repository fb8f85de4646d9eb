package diagnose

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// pointerHeapScale is in live objects: a full cycle costs about 60 ns of CPU an object, so 1 million cost 60 ms a cycle
// and 10 million 0.6 s.
func pointerHeapScale() Scale { return Scale{Worth: 1e6, Hurts: 10e6} }

// nsPerObject is the CPU of marking one live object, header, bitmap and the cache misses on the way to it. Measured on
// Go 1.26 with 5 million cache entries: 2224 ms for 35.0 million objects (64 ns), 493 ms for 10.0 million (49 ns).
const nsPerObject = 60e-9

// smallObject is the mean size up to which objects count as small. Up to 256 bytes, four cache lines, reaching an
// object costs more than scanning it, so the number of objects is the cost; above, it is the bytes.
const smallObject = 256

// Shares of CPU that the collector takes, which say whether a large heap hurts this process.
const (
	gcNobody = 0.1  // cores of the whole process, of which no collector takes what anybody misses
	gcQuiet  = 0.05 // below: the collector hardly runs, whatever the heap holds
	gcBusy   = 0.10 // from here on, gc-cpu is worth knowing as well
)

func gcPointerHeap() Detector {
	return Detector{
		ID:    "GC003",
		Kind:  "gc-pointer-heap",
		Title: "The live heap is full of small objects that the collector must visit",
		Text: `Counts live objects of 256 bytes or less on average, by the structure (a cache with its list elements,
map, keys and values) that holds most of them. Each is a visit in every cycle, about 60 ns of CPU (measured: 35.0
million objects 2.2 s, 10.0 million 0.5 s): worth knowing from 1 million, hurting from 10 million. Text and numbers
inside a slice or a map cost no visit.

What it hurts depends on the collector. Below 5 % of the CPU, or in a process that uses a tenth of a core, the score is
halved and stays below 50; below 10 %, or if that is not known, it is capped at 74; from 10 % on it is at least that of
the collector's CPU for these objects. Nothing is found below 10 million objects if no cycle ran, or where two profiles
show that they grow: that is mem-leak's.`,
		Needs:  needHeap("live objects are not in other evidence"),
		Before: "cache := gcache.New(5_000_000).LRU().Build() // seven heap objects an entry",
		After:  "cache, _ := freelru.NewSharded[uint64, uint64](5_000_000, hash) // none",
		Explains: append(related(nil, "gc-assist"), Relation{Kind: "gc-cpu", Leads: true,
			When: gogcIsNot, Why: "each collection follows every pointer of what lives"}),
		Merges: []Relation{{Kind: "alloc-site", If: SameLine, Leads: true}}, // its allocations are the entries'
		IsHeld: true,
		Run:    runGCPointerHeap,
	}
}

func runGCPointerHeap(_ context.Context, r *Reading) Answer {
	h := r.heap()
	if len(h.set.Samples) == 0 && h.set.Observed == nil {
		return undecided(fmt.Sprintf("%s (%s): nothing was allocated, or not enough for a sample (one in 512 KiB), no "+
			"collection has finished yet, or runtime.MemProfileRate is 0", cmp.Or(nothingIn(h.set), "an empty heap profile"),
			h.set.Name), captureHeapNow)
	}
	if h.liveObjects < pointerHeapScale().Worth {
		return Answer{}
	}
	g := r.structure()
	if g == nil || g.Now.Objects < pointerHeapScale().Worth || g.Size() > smallObject {
		return Answer{}
	}
	if rate, ok := r.Mean(vitals.GCRate); ok && rate == 0 && g.Now.Objects < pointerHeapScale().Hurts {
		return Answer{} // it does not collect, so they cost nothing, and may be dead
	}
	apart, dated := r.Growth()
	if heldNow(r).First != nil && g.Grew() && !(dated && heapBefore(r, apart)) {
		return Answer{} // the growth is the fault, not the form of what grows
	}
	score, why := pointerHeapScore(r, g.Now.Objects, g.Now.Objects/h.liveObjects)
	if score < worthKnowing {
		return Answer{}
	}
	share := g.Now.Objects / h.liveObjects
	cycle := g.Now.Objects * nsPerObject
	f := casefile.Finding{
		Title: fmt.Sprintf("%s hold %s live objects that the collector visits in every cycle", g.title(r),
			count(g.Now.Objects)),
		Score: score,
		// Each sampled object stands for about rate bytes; the error is that of counting them.
		Confidence: Confidence(share, sampled(h.liveBytes, h.liveObjects, h.rate)),
		Summary: fmt.Sprintf("%s of the %s live objects (%s, %s each on average) belong to %s: about %s of CPU "+
			"in every collection%s.",
			percent(share), count(h.liveObjects), size(g.Now.Bytes), size(g.Size()),
			short(r.Table.Funcs[g.holder].Name),
			seconds(cycle), why),
		Explanation: "The collector reaches each of these objects by a pointer, in every cycle, used or not, and most " +
			"visits are a cache miss. A few large blocks without pointers cost it nothing.",
		Where:    g.where(r, h),
		Remedies: pointerHeapRemedies(r, g),
		Evidence: Basis(h.set),
	}
	f.Impact = pointerHeapImpact(r, h, g, cycle)
	if v := r.cpu(); v != nil {
		f.Evidence = addBasis(f.Evidence, Basis(v.set))
	}
	return found(f)
}

// pointerHeapScore weighs the objects, a share of all that live, by how often the collector runs, and says so. While it
// is quiet they cost memory alone, until there is a little more allocation: half, and a notice at most. If it is busy,
// its CPU for them counts, whether they are many or few.
func pointerHeapScore(r *Reading, objects, share float64) (score int, why string) {
	score = pointerHeapScale().Score(objects)
	v := r.cpu()
	if v != nil && v.level.known && v.level.cores < gcNobody {
		return min(score/2, capNotice), "; the process hardly works, so it costs little now"
	}
	taken, known := gcShareOfVitals(r)
	limit, from, busy := noCap, " (vitals)", ""
	if v != nil && (v.samples >= minCPUSamples || v.gcAtMost() < gcQuiet) {
		taken, known, limit, from = v.gcShare(), true, v.level.cap(), ""
	} else {
		busy = fmt.Sprintf("; the collector takes %s of the CPU (vitals)", percent(taken))
	}
	switch {
	case known && taken < gcQuiet:
		return min(score/2, capNotice), fmt.Sprintf("; the collector takes only %s of the CPU%s, so it costs little now",
			percent(taken), from)
	case !known || taken < gcBusy:
		return min(score, capUnsure, limit), ""
	}
	return min(max(score, GCCPUScale().Score(taken*share)), limit), busy
}

func pointerHeapImpact(r *Reading, h *heapView, g *structure, cycle float64) casefile.Impact {
	share := g.Now.Objects / h.liveObjects
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples {
		return casefile.Impact{Resource: "memory", Share: roundShare(share), Text: fmt.Sprintf("%s of the live objects; "+
			"%s of CPU a collection, and no CPU profile shows how often it collects", percent(share), seconds(cycle))}
	}
	mark := v.ofAll(stacks.GCMark, stacks.GCIdle, stacks.GCAssist)
	high := mark * share
	// The cost of visiting an object varies, and the heap profile has a sampling error: the limit is a fifth lower.
	low := 0.8 * high
	return casefile.Impact{Resource: "cpu", Share: roundShare(high),
		Text: fmt.Sprintf("about %s of the CPU the process used, and %s of the live objects", percent(high),
			percent(share)),
		Gain: casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: fmt.Sprintf(
			"marking takes %s of CPU, and this structure holds %s of the live objects: %s of CPU", percent(mark),
			percent(share), number.Estimate(low, high))}}
}

func pointerHeapRemedies(r *Reading, g *structure) []casefile.Remedy {
	fn := r.Table.Funcs[g.holder]
	name := short(fn.Name)
	often, ok := roomierRemedy(r, 0)
	if !ok {
		often = casefile.Remedy{Kind: casefile.Value, Title: "Collect less often", Text: "Until the structure is replaced, " +
			"a larger GOGC pays this cost less often: doubling GOGC halves it.", Price: "memory"}
	}
	if fn.Owner == stacks.Dependency && !isPointerCache(fn) {
		return []casefile.Remedy{doChange("Keep fewer of them", fmt.Sprintf("%s is not the program's own: limit what it "+
			"keeps by its settings (a size, an expiry), or give back what has ended by the Close, Delete or Cancel that "+
			"goes with it.", name), "what was dropped must be made again"), often}
	}
	replace, another := "If "+name+" is a cache: ", ""
	if isPointerCache(fn) {
		replace, another = "Replace "+name+" by ", " Another cache with a pointer per entry does not help."
	}
	return []casefile.Remedy{
		takePackage("Keep the entries where the collector does not look",
			replace+"github.com/gocasebook/casebook/remedy/cache, which stores keys and values without pointers "+
				"and limits them in bytes. With 5 million entries of short strings: 1,000 objects and 0.2 ms a "+
				"collection, against 35 million and 2.2 s with bluele/gcache."+another,
			"an entry is encoded, and decoded when it is read; values are no longer shared pointers"),
		takePackage("Keep entries of a fixed size in one table",
			"If keys and values hold no pointers, use a map or slice of them by value, or a generic LRU such as "+
				"github.com/elastic/go-freelru. Nodes of a tree or list: one slice, with indexes in place of pointers.",
			"keys and values must have a fixed size; the table is allocated at once"),
		often,
	}
}

// isPointerCache reports whether a function is of a cache that keeps each entry behind pointers.
func isPointerCache(f stacks.Func) bool { return f.Does(known.CachesByPointer) }
