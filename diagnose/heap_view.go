package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A heapView is the latest heap profile as detectors ask for it.
type heapView struct {
	set     *stacks.Set
	objects stacks.Weight // live
	space   stacks.Weight // live bytes

	liveObjects, liveBytes float64
	rate                   float64 // bytes between two samples
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
