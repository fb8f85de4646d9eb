package heapdump

// dominators finds for every number the one that holds it: the last one that all ways from number 0 go through. Without
// it the object would be garbage.
//
// It is the semi-NCA algorithm of Georgiadis (Linear-Time Algorithms for Dominators and Related Problems, Princeton
// 2005, section 2.3), with the path compression of Lengauer and Tarjan. The iterative algorithm of Cooper, Harvey and
// Kennedy walks the tree up for every edge, which is quadratic on the long lists that heaps have; Lengauer and Tarjan's
// own needs two more arrays.
func (x *numbering) dominators() []uint32 {
	n := uint32(len(x.node))
	d := eval{ancestor: append([]uint32(nil), x.parent...), label: make([]uint32, n), semi: make([]uint32, n)}
	for i := range n {
		d.label[i], d.semi[i] = i, i
	}
	for i := n - 1; i > 0 && n > 1; i-- {
		semi := x.parent[i]
		for _, p := range x.preds.edges(i) {
			semi = min(semi, d.semi[d.eval(p, i)])
		}
		d.semi[i] = semi
		d.label[i] = i
	}
	idom := x.parent
	for i := uint32(1); i < n; i++ {
		at := idom[i]
		for at > d.semi[i] {
			at = idom[at]
		}
		idom[i] = at
	}
	x.parent = nil // it has become idom
	return idom
}

// eval is the forest of the numbers that have a semidominator: all above the current one.
type eval struct {
	ancestor, label, semi []uint32
	path                  []uint32
}

// eval answers the number with the least semidominator between n and the root of its tree; itself if it is not in the
// forest. Every number above current is in it, so a root is one whose ancestor is at most current.
func (d *eval) eval(n, current uint32) uint32 {
	if n <= current {
		return n
	}
	d.path = d.path[:0]
	for at := n; d.ancestor[at] > current; at = d.ancestor[at] {
		d.path = append(d.path, at)
	}
	for i := len(d.path) - 1; i >= 0; i-- {
		at := d.path[i]
		above := d.ancestor[at]
		if d.semi[d.label[above]] < d.semi[d.label[at]] {
			d.label[at] = d.label[above]
		}
		d.ancestor[at] = d.ancestor[above]
	}
	return d.label[n]
}
