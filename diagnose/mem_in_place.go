package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A slice that is only ever appended to is one object, however long it has become: no more objects are alive when it
// has grown, and most of what append allocated is garbage. What shows it is that the same few blocks are alive at both
// times, that they are larger, and that the line allocated nothing else in between than each next step. A body that is
// read, or an index that is built again, goes through the smaller steps as well.

// wholeBlock is from which size each block is sampled and judged: four times the default rate, which leaves out one in
// fifty.
const wholeBlock = 2 << 20

// An inPlace is a growth of blocks that stay as many.
type inPlace struct {
	at       stacks.FrameID // the user's line
	blocks   float64
	from, to float64 // bytes
	seconds  float64
}

// growsInPlace is what a line's blocks have grown by between the captures; nil if they have not, or not in place.
func (r *Reading) growsInPlace(g heapGrowth, at stacks.FrameID) *inPlace {
	n1, from, least := liveBlocks(r, g.first, at)
	n2, to, _ := liveBlocks(r, g.last, at)
	if n1 < 1 || n1 != n2 || to < leastGrowthStep*from {
		return nil
	}
	made, size := stacks.ByValue(g.diff.Value("alloc_objects", "count")),
		stacks.ByValue(g.diff.Value("alloc_space", "bytes"))
	steps := 0.0
	for i := range g.diff.Samples {
		s := &g.diff.Samples[i]
		if id, ok := r.UserLine(s); !ok || id != at || made(s) <= 0 {
			continue
		}
		each := float64(size(s)) / float64(made(s))
		if each <= least {
			if each < wholeBlock {
				continue // other data of the line
			}
			return nil
		}
		steps += float64(made(s))
	}
	if steps > n1*(math.Log(to/from)/math.Log(leastGrowthStep)+2) {
		return nil
	}
	return &inPlace{at, n1, from, to, g.seconds}
}

// mostInPlace is the growth in place that a grower's memory is for the most part; nil if it is not.
func mostInPlace(r *Reading, g heapGrowth, w *grower) *inPlace {
	if len(w.lines) == 0 {
		return nil
	}
	if p := r.growsInPlace(g, w.lines[0].Key); p != nil && p.to-p.from >= w.bytes/2 {
		return p
	}
	return nil
}

// liveBlocks counts a line's live blocks, with their bytes and the size of the smallest.
func liveBlocks(r *Reading, set *stacks.Set, at stacks.FrameID) (n, bytes, least float64) {
	objects := stacks.ByValue(set.Value("inuse_objects", "count"))
	space := stacks.ByValue(set.Value("inuse_space", "bytes"))
	least = math.Inf(1)
	for i := range set.Samples {
		s := &set.Samples[i]
		if id, ok := r.UserLine(s); !ok || id != at || objects(s) <= 0 {
			continue
		}
		if each := float64(space(s)) / float64(objects(s)); each >= wholeBlock {
			n, bytes, least = n+float64(objects(s)), bytes+float64(space(s)), min(least, each)
		}
	}
	return n, bytes, least
}

// text says what grew: "one block that append makes larger: 41.3 MiB, and 80.7 MiB 80 s later".
func (p *inPlace) text() string {
	what := "one block that append makes larger"
	if p.blocks > 1 {
		what = count(p.blocks) + " blocks that append makes larger"
	}
	return fmt.Sprintf("%s: %s, and %s %s later", what, size(p.from), size(p.to), seconds(p.seconds))
}

// boundIt is what to do about a slice or a buffer that is only added to.
func boundIt() casefile.Remedy {
	return doChange("Bound it", "It is only added to: drop old entries (a ring of fixed size, or blocks by time), write "+
		"them out and start again, or count instead of keeping them. A buffer that collects output needs a Reset, or a "+
		"limit.", "old entries are gone")
}
