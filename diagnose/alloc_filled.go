package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// Garbage is in memory until it is collected. Where a collection is far away (GOGC=off, a large heap), what one line
// made within seconds fills the memory, although nothing stays alive and no CPU is spent on collecting.

const (
	filledLeast = 256 << 20 // bytes by which the heap rose while the vitals were watched
	filledBy    = 0.5       // of all that was allocated is made at one line
)

// filledByGarbage names the line whose garbage filled the memory that a rule tripped by.
func filledByGarbage(r *Reading) (f casefile.Finding, ok bool) {
	h, rose := r.heap(), heapRise(r)
	if h == nil || rose < filledLeast || !trippedByClass(r, ofHeld) {
		return f, false
	}
	g := garbage{set: h.set, rate: h.set.Rate(), line: r.UserLine}
	space, live := stacks.ByValue(g.set.Value("alloc_space", "bytes")), stacks.ByValue(g.set.Value("inuse_space", "bytes"))
	g.weight = func(s *stacks.Sample) int64 { return space(s) - max(live(s), 0) }
	g.total = float64(g.set.Total(g.weight))
	lines := stacks.SumBy(g.set, g.weight, r.UserLine)
	if len(lines) == 0 || 2*g.total < rose || 2*h.liveBytes > rose {
		return f, false
	}
	at, share := lines[0].Key, float64(lines[0].Value)/g.total
	if share < filledBy || sampled(float64(lines[0].Value), g.objectsAt(r, at), g.rate) < minSiteSamples {
		return f, false
	}
	f = casefile.Finding{
		Title:      fmt.Sprintf("Garbage of %s fills the memory: %s", r.Place(at), size(float64(lines[0].Value))),
		Score:      min(allocShareScale().Score(share), capNotice),
		Confidence: Confidence(share, sampled(g.total, g.total, g.rate)),
		Summary: fmt.Sprintf("The heap rose by %s before it was collected, and %s of the %s that were allocated and are no "+
			"longer alive were made at %s.", size(rose), percent(share), size(g.total), r.Place(at)),
		Explanation: "What is no longer needed stays in memory until the next collection. The collector waits until the " +
			"heap has reached its goal; with GOGC=off, or a high GOGC, that is the memory limit.",
		Where:    g.where(r, lines),
		Evidence: Basis(g.set),
		Remedies: append(allocRemedies(r, g, at), setValue("Let the collector run earlier", "GOGC=100 (or lower), or a "+
			"lower GOMEMLIMIT: the heap then is collected before it has grown so far.", "CPU for more collections")),
	}
	f.Impact = casefile.Impact{Resource: effectMemory, Share: roundShare(share),
		Text: percent(share) + " of what filled the memory"}
	return f, true
}

// heapRise is by how much the heap, garbage included, rose from the first of the vitals to its peak.
func heapRise(r *Reading) float64 {
	if len(r.Vitals) == 0 {
		return 0
	}
	first, known := r.Vitals[0].Get(vitals.HeapAlloc)
	if !known {
		return 0
	}
	return max(heapPeak(r)-first, 0)
}
