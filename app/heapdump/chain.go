package heapdump

import "slices"

// chain is the shortest way from a root to a number, the root first. The nodes of roots that are above others are not
// on it: it begins at what points to an object.
func (x *numbering) chain(to uint32, isRoot func(number uint32) bool) []uint32 {
	next := map[uint32]uint32{to: 0} // towards the end
	at := []uint32{to}
	for len(at) > 0 && !isRoot(at[0]) {
		for _, p := range x.preds.edges(at[0]) {
			if _, seen := next[p]; !seen && p != 0 {
				next[p] = at[0]
				at = append(at, p)
			}
		}
		at = at[1:]
	}
	if len(at) == 0 {
		return nil
	}
	var out []uint32
	for n := at[0]; n != 0; n = next[n] {
		out = append(out, n)
	}
	return out
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
	seen := map[uint32]bool{to: true}
	var out []uint32
	for at := []uint32{to}; len(at) > 0 && len(seen) < maxSeen && len(out) < most; at = at[1:] {
		if isRoot(at[0]) {
			out = append(out, at[0])
			continue
		}
		for _, p := range x.preds.edges(at[0]) {
			if p != 0 && !seen[p] {
				seen[p] = true
				at = append(at, p)
			}
		}
	}
	return out
}
