package diagnose

import (
	"fmt"
	"iter"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
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
	blocks   float64
	from, to float64 // bytes
	seconds  float64
}

// growsInPlace is what a line's blocks have grown by between the captures; nil if they have not, or not in place.
func growsInPlace(r *Reading, g view.Growth, at stacks.FrameID) *inPlace {
	n1, from, least := liveBlocks(r, g.First, at)
	n2, to, _ := liveBlocks(r, g.Last, at)
	if n1 < 1 || n1 != n2 || to < leastGrowthStep*from {
		return nil
	}
	steps := 0.0
	for b := range blocksAt(r, g.Diff, at, "alloc") {
		switch {
		case b.size > least:
			steps += b.objects
		case b.size >= wholeBlock:
			return nil // a smaller step than what lives: it is built again
		}
	}
	if steps > n1*(math.Log(to/from)/math.Log(leastGrowthStep)+2) {
		return nil
	}
	return &inPlace{n1, from, to, g.Seconds}
}

// mostInPlace is the growth in place that a grower's memory is for the most part; nil if it is not.
func mostInPlace(r *Reading, g view.Growth, w *grower) *inPlace {
	if len(w.lines) == 0 {
		return nil
	}
	if p := growsInPlace(r, g, w.lines[0].Key); p != nil && p.to-p.from >= w.bytes/2 {
		return p
	}
	return nil
}

// liveBlocks counts a line's live blocks, with their bytes and the size of the smallest.
func liveBlocks(r *Reading, set *stacks.Set, at stacks.FrameID) (n, bytes, least float64) {
	least = math.Inf(1)
	for b := range blocksAt(r, set, at, "inuse") {
		if b.size >= wholeBlock {
			n, bytes, least = n+b.objects, bytes+b.size*b.objects, min(least, b.size)
		}
	}
	return n, bytes, least
}

// blocksAt are the blocks of a user's line, each sample's in turn: what lives ("inuse") or what was made ("alloc").
func blocksAt(r *Reading, set *stacks.Set, at stacks.FrameID, what string) iter.Seq[block] {
	objects := stacks.ByValue(set.Value(what+"_objects", "count"))
	space := stacks.ByValue(set.Value(what+"_space", "bytes"))
	return func(yield func(block) bool) {
		for i := range set.Samples {
			s := &set.Samples[i]
			if id, ok := r.UserLine(s); !ok || id != at || objects(s) <= 0 {
				continue
			}
			if !yield(block{size: float64(space(s)) / float64(objects(s)), objects: float64(objects(s))}) {
				return
			}
		}
	}
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
	return aBound("It is only added to: drop old entries (a ring of fixed size, or blocks by time), "+
		"write them out and start again, or count instead of keeping them. A buffer that collects output needs a "+
		"Reset, or a limit.", "old entries are gone")
}
