package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
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
	blocks   float64
	from, to float64 // bytes
	seconds  float64
}

// growsInPlace is what a line's blocks have grown by between the captures; nil if they have not, or not in place.
func growsInPlace(h *hold.Heap, at stacks.FrameID) *inPlace {
	s := h.Sum(func(b *hold.Held) bool { return b.Line == at && b.Size >= wholeBlock })
	if h.First == nil || s == nil || s.Before.Objects < 1 || s.Before.Objects != s.Now.Objects ||
		s.Now.Bytes < leastGrowthStep*s.Before.Bytes {
		return nil
	}
	least, steps := math.Inf(1), 0.0 // the smallest that lived before, and what was made since
	for _, b := range s.Held {
		if b.Before.Objects > 0 {
			least = min(least, b.Size)
		}
	}
	for _, b := range s.Held {
		switch came := b.Came().Objects; {
		case came > 0 && b.Size <= least:
			return nil // a smaller step than what lives: it is built again
		case came > 0:
			steps += came
		}
	}
	if steps > s.Now.Objects*(math.Log(s.Now.Bytes/s.Before.Bytes)/math.Log(leastGrowthStep)+2) {
		return nil
	}
	return &inPlace{s.Now.Objects, s.Before.Bytes, s.Now.Bytes, lapse(h.First, h.Last).Seconds()}
}

// mostInPlace is the growth in place that a grower's memory is for the most part; nil if it is not.
func mostInPlace(h *hold.Heap, w *grower) *inPlace {
	if p := growsInPlace(h, w.lines[0].Key); p != nil && p.to-p.from >= w.bytes/2 {
		return p
	}
	return nil
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
