package heapdump

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDominators compares with the definition on random graphs: a node dominates those that cannot be reached without
// it.
func TestDominators(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + rnd.IntN(20)
		var g graph
		for range n {
			g.begin()
			for range rnd.IntN(4) {
				g.edge(uint32(rnd.IntN(n)))
			}
		}
		var roots [tiers][]uint32
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(int(tiers))
			roots[at] = append(roots[at], uint32(rnd.IntN(n)))
		}
		x := newNumbering(&g, roots)
		x.turn(&g, roots)
		preds := x.preds
		for i, got := range x.dominators() {
			if i == 0 {
				continue
			}
			if want := dominator(preds, uint32(i)); got != want {
				t.Fatalf("dominator of %d is %d, want %d: %v", i, got, want, preds)
			}
		}
	}
}

// dominator is the immediate one: the last of those without which a number is not reached.
func dominator(preds graph, of uint32) uint32 {
	for candidate := of - 1; candidate > 0; candidate-- {
		if !reaches(preds, of, candidate) {
			return candidate
		}
	}
	return 0
}

// reaches reports whether there is a way from 0 that avoids a number.
func reaches(preds graph, to, without uint32) bool {
	seen := []uint32{to}
	for i := 0; i < len(seen); i++ {
		for _, p := range preds.edges(seen[i]) {
			if p == 0 {
				return true
			}
			if p != without && !slices.Contains(seen, p) {
				seen = append(seen, p)
			}
		}
	}
	return false
}

// TestTiers: what a global holds is the global's, though a goroutine points to it.
func TestTiers(t *testing.T) {
	var g graph
	for _, edges := range [][]uint32{{1}, {}, {0}, {1, 0}} { // two objects, a global, a goroutine
		g.begin()
		for _, e := range edges {
			g.edge(e)
		}
	}
	x := newNumbering(&g, [tiers][]uint32{globals: {2}, goroutines: {3}})
	x.turn(&g, [tiers][]uint32{globals: {2}, goroutines: {3}})
	idom := x.dominators()
	global, object, leaf := x.number[2], x.number[0], x.number[1]
	if idom[object] != global || idom[leaf] != object || x.tier(x.number[3]) != goroutines || x.tier(leaf) != globals {
		t.Errorf("dominators %v of %v", idom, x.node)
	}
}

// TestObjects finds every address again, and none between.
func TestObjects(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var o objects
	type object struct{ address, size uint64 }
	var spans [][]object
	at := uint64(1 << 20)
	for range 3000 {
		at += 8192 * uint64(rnd.IntN(3))
		size := []uint64{8, 16, 48, 1024, 4096}[rnd.IntN(5)]
		var span []object
		for a := at; a+size <= at+8192; a += size {
			if rnd.IntN(3) > 0 {
				span = append(span, object{a, size})
			}
		}
		at += 8192
		spans = append(spans, span)
	}
	rnd.Shuffle(len(spans)/2, func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
	all := slices.Concat(spans...)
	for _, x := range all {
		o.add(x.address, x.size)
	}
	o.sort()
	for i, x := range all {
		n, ok := o.at(x.address + x.size - 1)
		if !ok || n != uint32(i) || o.size(n) != x.size || o.address(n) != x.address {
			t.Fatalf("object %d at %#x: got %d, %t, %d bytes at %#x", i, x.address, n, ok, o.size(n), o.address(n))
		}
	}
	if n, ok := o.at(8191); ok {
		t.Errorf("object %d at an address before all", n)
	}
}
