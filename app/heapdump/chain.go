package heapdump

import "slices"

// chain is the shortest way from a root to a number, the root first. The nodes of roots that are above others are not
// on it: it begins at what points to an object.
func (x *numbering) chain(to uint32, isRoot func(number uint32) bool) []uint32 {
	x.startSearch(to)
	next := x.next // towards the end
	for i := 0; i < len(x.queue); i++ {
		at := x.queue[i]
		if isRoot(at) {
			var out []uint32
			for n := at; n != 0; n = next[n] {
				out = append(out, n)
			}
			return out
		}
		for _, p := range x.preds.edges(at) {
			if _, seen := next[p]; !seen && p != 0 {
				next[p] = at
				x.queue = append(x.queue, p)
			}
		}
	}
	return nil
}

// startSearch empties what a search from a number remembers. It is used again: a search may see millions of objects.
func (x *numbering) startSearch(from uint32) {
	if x.next == nil {
		x.next = make(map[uint32]uint32)
	}
	clear(x.next)
	x.next[from] = 0
	x.queue = append(x.queue[:0], from)
}

// above is a root and the roots above it.
func (x *numbering) above(n uint32) []uint32 {
	out := []uint32{n}
	for {
		preds := x.preds.edges(out[len(out)-1])
		i := slices.IndexFunc(preds, func(p uint32) bool { return p != 0 })
		if i < 0 || len(out) > 3 { // frame, goroutine, group
			return out
		}
		out = append(out, preds[i])
	}
}

// Bounds of the search for other roots.
const (
	maxSeen   = 1 << 16 // objects
	maxShared = 64      // roots, of which some are the same
)

// shared are other roots from which the number can be reached by short ways.
func (x *numbering) shared(to uint32, isRoot func(number uint32) bool, most int) []uint32 {
	x.startSearch(to)
	var out []uint32
	for i := 0; i < len(x.queue) && len(x.next) < maxSeen && len(out) < most; i++ {
		at := x.queue[i]
		if isRoot(at) {
			out = append(out, at)
			continue
		}
		for _, p := range x.preds.edges(at) {
			if _, seen := x.next[p]; !seen && p != 0 {
				x.next[p] = at
				x.queue = append(x.queue, p)
			}
		}
	}
	return out
}
