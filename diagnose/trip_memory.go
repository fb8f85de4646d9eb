package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// memoryParts is what the memory of the process was made of at a time, as far as the vitals say.
func memoryParts(r *Reading, at time.Time) []string {
	var parts []string
	for _, p := range [...]struct {
		id   vitals.ID
		text string
	}{
		{vitals.HeapAlloc, "heap %s"}, {vitals.HeapLive, "of that live after a collection %s"},
		{vitals.Stacks, "stacks %s"}, {vitals.OffHeap, "outside Go %s"},
	} {
		if v := r.ValueAt(p.id, at); v != nil {
			parts = append(parts, fmt.Sprintf(p.text, size(*v)))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// heldLine is what holds the heap: what is alive, or what was allocated where most of the heap at the trip is no longer
// alive. A slice of 1 GiB that a request made and dropped is in memory until a collection, and in no live heap.
func heldLine(r *Reading) *casefile.PictureLine {
	live := heapPictureLine(r)
	most := heapPeak(r)
	if live != nil && 2*live.Total < most {
		if made := allocatedLine(r); made != nil && 2*made.Total >= most {
			return made
		}
	}
	return live
}

// heapPeak is the most that the heap held in the vitals, garbage included.
func heapPeak(r *Reading) (most float64) {
	for i := range r.Vitals {
		if v, ok := r.Vitals[i].Get(vitals.HeapAlloc); ok {
			most = max(most, v)
		}
	}
	return most
}

// allocatedLine is what was allocated between two heap profiles; with one, since the process started.
func allocatedLine(r *Reading) *casefile.PictureLine {
	set, span := r.Gained(casefile.Heap, casefile.Allocs), ""
	if set != nil && allocated(set) > 0 {
		span = " in " + seconds(set.Seconds)
	} else if v := r.heap(); v != nil {
		set, span = v.set, " since the process started"
	}
	if set == nil || set.Value("alloc_space", "bytes") < 0 {
		return nil
	}
	total := allocated(set)
	head := size(total) + " allocated" + span
	l := pictureLine{r: r, total: total, libraries: "Go's own libraries"}
	objects := float64(set.Total(stacks.ByValue(set.Value("alloc_objects", "count"))))
	if tooFew(total, objects, set.Rate()) {
		l.few = true
		return l.finish(head, total, "bytes", set)
	}
	space := stacks.ByValue(set.Value("alloc_space", "bytes"))
	for _, e := range stacks.SumBy(set, space, r.OwnLine) {
		l.add(pictured{at: e.Key, amount: float64(e.Value)})
	}
	l.restOfAll()
	return l.finish(head, total, "bytes", set)
}

func allocated(set *stacks.Set) float64 {
	return float64(set.Total(stacks.ByValue(set.Value("alloc_space", "bytes"))))
}

// mappedLine is who maps memory or calls C, as far as profiles show it.
func mappedLine(r *Reading) *casefile.PictureLine {
	set := stacks.Merge(r.Best(casefile.CPU))
	if v := r.heap(); v != nil {
		set = v.set
	}
	places := mapperPlaces(r, mappers(r))
	if set == nil || len(places) == 0 {
		return nil
	}
	l := casefile.PictureLine{Unit: "bytes", File: Basis(set)[0].File}
	var texts []string
	for _, p := range places {
		l.Places = append(l.Places, casefile.PicturePlace{Share: p.Share, What: p.Role, Function: p.Function,
			File: p.File, Line: p.Line})
		texts = append(texts, fmt.Sprintf("%s %s:%d %s", p.Role, p.File[strings.LastIndexAny(p.File, `/\`)+1:], p.Line,
			short(p.Function)))
	}
	l.Text = "outside the Go heap: " + strings.Join(texts, ", ")
	return &l
}
