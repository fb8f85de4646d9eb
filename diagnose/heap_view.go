package diagnose

import (
	"slices"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A heapView is the latest heap profile as detectors ask for it.
type heapView struct {
	set     *stacks.Set
	objects stacks.Weight // live
	space   stacks.Weight // live bytes

	liveObjects, liveBytes float64
	rate                   float64 // bytes between two samples

	held func() *hold.Heap // what it shows to be held, without an earlier profile
}

func newHeapView(r *Reading) *heapView {
	var set *stacks.Set
	for _, s := range r.Best(casefile.Heap, casefile.Allocs) {
		if set == nil || set.Seconds > 0 || s.Seconds == 0 { // a difference over time does not show what is live
			set = s
		}
	}
	if set == nil {
		return nil
	}
	v := &heapView{
		set:     set,
		objects: stacks.ByValue(set.Value("inuse_objects", "count")),
		space:   stacks.ByValue(set.Value("inuse_space", "bytes")),
		rate:    set.Rate(),
	}
	v.held = sync.OnceValue(func() *hold.Heap { return hold.New(set, nil) })
	v.liveObjects = float64(set.Total(v.objects))
	v.liveBytes = float64(set.Total(v.space))
	return v
}

// sampled is roughly how many sampled allocations some bytes represent: one per rate bytes for objects smaller than the
// rate, one per object for larger ones.
func sampled(bytes, objects, rate float64) float64 {
	if objects <= 0 || bytes <= 0 {
		return 0
	}
	return min(bytes/rate, objects)
}

// ofLiveHeap is the impact of what has a share of the live heap, of which low to high need not be there.
func ofLiveHeap(share, low, high float64, arithmetic string) casefile.Impact {
	return ofMemory(share, low, high, percent(share)+" of the live heap", arithmetic)
}

// ofMemory is the impact of what has a share of some memory, as text says it.
func ofMemory(share, low, high float64, text, arithmetic string) casefile.Impact {
	return casefile.Impact{Resource: effectMemory, Share: roundShare(share), Text: text,
		Gain: casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: arithmetic}}
}

// calledFrom adds to a finding's places the user's function that calls the one at its first place, by a stack.
func calledFrom(r *Reading, f casefile.Finding, stack []stacks.FrameID, at stacks.FrameID) casefile.Finding {
	for _, id := range stack[slices.Index(stack, at)+1:] {
		if r.Table.Func(id).Owner == stacks.User && r.Table.FuncID(id) != r.Table.FuncID(at) {
			f.Where = append(f.Where, r.Frame(id, f.Where[0].Share, "called from"))
			break
		}
	}
	return f
}
