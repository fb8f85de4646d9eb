package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// fragmentScale is in the empty share of the heap's spans. A span has one size class and is freed only when it is
// empty; in a steady service 10 to 20 % are empty.
func fragmentScale() Scale { return Scale{Worth: 0.40, Hurts: 0.75, Top: 1} }

const minFragment = 64 << 20 // empty bytes

func memFragmentation() Detector {
	return Detector{
		ID:    "MEM006",
		Kind:  "mem-fragmentation",
		Title: "Much of the heap is holes between small objects",
		Text: `The heap is made of spans for objects of one size, and a span with one live object is not released.
Compares heap/unused with heap/objects (runtime/metrics, expvar, or the end of heap?debug=1): 64 MiB of holes or more,
worth knowing from 40 % of the spans, hurting from 75 %, up to 74: after a peak it looks the same, and holes are used
again. Without these numbers they are requested if Go holds twice what the heap's goal needs.`,
		Needs:          needHeap("objects are not in other evidence"),
		Before:         `for _, row := range rows { tmp := parse(row); index[tmp.ID] = &Entry{tmp.Name} } // among temporary objects`,
		After:          `entries := make([]Entry, 0, len(rows)); for _, row := range rows { entries = append(entries, entryOf(row)) }`,
		Remedies:       fragmentationRemedies(),
		IsWholeProcess: true,
		NeedsPlace:     true,
		Follows:        "a span of memory is given back only when the last object in it is gone",
		Run:            runMemFragmentation,
	}
}

func runMemFragmentation(_ context.Context, r *Reading) Answer {
	unused, ok1 := metricOf(r, metricUnused)
	objects, ok2 := metricOf(r, metricObjects)
	if !ok1 || !ok2 {
		return fragmentationUnknown(r)
	}
	share := unused / max(unused+objects, 1)
	score := min(fragmentScale().Score(share), capUnsure)
	if unused < minFragment || score < worthKnowing {
		return Answer{}
	}
	h := r.heap()
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s of the heap is holes between live objects", size(unused)),
		Score:      score,
		Confidence: 0.7,
		Summary: fmt.Sprintf("The heap's spans hold %s of objects and %s of empty space (%s).", size(objects),
			size(unused), percent(share)),
		Explanation: "A span is released only when its last object is dead. Long-lived small objects that were allocated " +
			"among many short-lived ones keep nearly empty spans.",
		Evidence: Basis(h.set),
		Remedies: remediesAt("", fragmentationRemedies()...),
	}
	// The many small live objects: each keeps a span.
	small := func(s *stacks.Sample) int64 {
		if n := h.objects(s); n > 0 && h.space(s)/n <= 1<<10 {
			return n
		}
		return 0
	}
	f.Where = append(f.Where, r.Frames(stacks.SumBy(h.set, small, r.UserLine), 3, max(h.liveObjects, 1),
		"allocated small live objects (share of live objects)")...)
	f.Impact = ofMemory(share, share/2, share*0.85, percent(share)+" of the heap's spans", fmt.Sprintf("%s of %s; 10 to 20 %% "+
		"of holes are usual", size(unused), size(unused+objects)))
	return found(f)
}

func fragmentationUnknown(r *Reading) Answer {
	held, ok1 := r.Mean(vitals.GoMemory)
	goal, ok2 := r.Mean(vitals.HeapGoal)
	inStacks, _ := r.Mean(vitals.Stacks)
	if !ok1 || !ok2 || held-inStacks < 2*goal+minFragment {
		return Answer{}
	}
	return undecided(fmt.Sprintf("Go holds %s and the heap's goal is %s: the evidence does not show whether the rest "+
		"is holes, or free and on its way back to the system", size(held), size(goal)), captureNumbers)
}

func fragmentationRemedies() []Remedy {
	return []Remedy{
		byChange("", "Keep long-lived objects together", "Build long-lived indexes and caches in one go, after the "+
			"temporary work, or copy them once when they are complete.", "a copy"),
		byChange("", "Fewer, larger long-lived objects", "One slice of structs instead of a pointer for each; text "+
			"in one []byte with offsets.", "entries cannot be freed one by one"),
		byChange("", "Reuse temporary objects", "A pool for the many short-lived objects of one size keeps the number "+
			"of spans low.", "code that reuses its buffers is easier to get wrong"),
	}
}
