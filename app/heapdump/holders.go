package heapdump

import (
	"cmp"
	"slices"
)

// A tree is the dominator tree, with what each node holds.
type tree struct {
	idom    []uint32 // by number
	bytes   []uint64 // held: its own and those of all below it
	objects []uint32
}

// newTree adds up what nodes hold. Below is always later in the order.
func newTree(idom []uint32, size func(number uint32) (uint64, uint32)) *tree {
	t := &tree{idom: idom, bytes: make([]uint64, len(idom)), objects: make([]uint32, len(idom))}
	for i := uint32(len(idom)) - 1; ; i-- {
		b, n := size(i)
		t.bytes[i] += b
		t.objects[i] += n
		if i == 0 {
			return t
		}
		t.bytes[idom[i]] += t.bytes[i]
		t.objects[idom[i]] += t.objects[i]
	}
}

// Thresholds of the search for the place where memory comes together. They follow Eclipse MAT's leak suspects: what has
// 80 % of its parent's is the same thing still.
const (
	leastHolder = 0.01 // of the heap: smaller ones are not looked for
	same        = 0.8  // of the node where the search began
	part        = 0.2  // of a node: what has so much is worth its own line
	elements    = 3    // as many parts
	alike       = 2    // whose sizes differ by less than this factor are elements of one structure
	leastList   = 6    // elements of a list
)

// A held is a node of the dominator tree.
type held struct {
	number  uint32
	bytes   uint64
	objects uint32
	parts   []held // below it, where its memory comes together
}

// holders are the nodes that nothing else holds, the largest first: roots, and what several roots have.
func (t *tree) holders(size func(number uint32) uint64) []held {
	least := max(uint64(float64(t.bytes[0])*leastHolder), 1)
	all := t.large(least)
	var out []held
	for _, k := range all.of(0) {
		h := t.held(k.number)
		h.parts = t.parts(k.number, all, least, size)
		out = append(out, h)
	}
	return out
}

func (t *tree) held(n uint32) held { return held{number: n, bytes: t.bytes[n], objects: t.objects[n]} }

// A kid is a large child of a node. In a long list nearly every node has one, so they are not kept in a map.
type kid struct{ parent, number uint32 }

type kids []kid

// large are the children of all nodes that hold at least so much, those of one node with the largest first.
func (t *tree) large(least uint64) kids {
	var out kids
	for i := 1; i < len(t.idom); i++ {
		if t.bytes[i] >= least {
			out = append(out, kid{t.idom[i], uint32(i)})
		}
	}
	slices.SortStableFunc(out, func(a, b kid) int {
		return cmp.Or(cmp.Compare(a.parent, b.parent), cmp.Compare(t.bytes[b.number], t.bytes[a.number]))
	})
	return out
}

// of are those of a node.
func (k kids) of(n uint32) kids {
	begin, _ := slices.BinarySearchFunc(k, n, func(x kid, n uint32) int { return cmp.Compare(x.parent, n) })
	end := begin
	for end < len(k) && k[end].parent == n {
		end++
	}
	return k[begin:end]
}

// parts are the places below a node where its memory comes together, the largest first. What a place holds beside the
// places below it counts as one, if it is large enough.
func (t *tree) parts(top uint32, all kids, least uint64, size func(uint32) uint64) []held {
	var out []held
	for todo := []uint32{top}; len(todo) > 0; todo = todo[1:] {
		at, list := t.together(todo[0], all, size)
		h := t.held(at)
		var below []uint32
		if !list {
			below = t.split(at, all)
		}
		for _, b := range below {
			h.bytes -= t.bytes[b]
			h.objects -= t.objects[b]
		}
		if h.bytes >= least {
			out = append(out, h)
		}
		todo = append(todo, below...)
	}
	slices.SortStableFunc(out, func(a, b held) int { return cmp.Compare(b.bytes, a.bytes) })
	return out
}

// together goes down from a node as long as one child has most of its memory. Where that is the next element of a list,
// the memory comes together in the list's first element.
func (t *tree) together(top uint32, all kids, size func(uint32) uint64) (at uint32, list bool) {
	if head := t.list(top, all, size); head != 0 {
		return head, true
	}
	at = top
	for below := all.of(at); len(below) > 0; below = all.of(at) {
		if float64(t.bytes[below[0].number]) < same*float64(t.bytes[top]) {
			break
		}
		at = below[0].number
	}
	return at, false
}

// list is the first element of a list that a node holds; 0 if it holds none. Down to half of the memory, most steps are
// objects of one size, and there are some.
func (t *tree) list(top uint32, all kids, size func(uint32) uint64) uint32 {
	count, first, steps := make(map[uint64]int), make(map[uint64]uint32), 0
	for below := all.of(top); len(below) > 0; {
		at := below[0].number
		below = all.of(at)
		if 2*t.bytes[at] < t.bytes[top] {
			break
		}
		s := size(at)
		if steps++; s > 0 && first[s] == 0 {
			first[s] = at
		}
		count[s]++
	}
	for s, n := range count {
		if s > 0 && n >= leastList && 2*n > steps {
			return first[s]
		}
	}
	return 0
}

// split are the children that have their own line. Elements of one structure, such as shards, have none.
func (t *tree) split(at uint32, all kids) []uint32 {
	var out []uint32
	for _, k := range all.of(at) {
		if float64(t.bytes[k.number]) >= part*float64(t.bytes[at]) {
			out = append(out, k.number)
		}
	}
	if n := len(out); n >= elements && t.bytes[out[0]] < alike*t.bytes[out[n-1]] {
		return nil
	}
	return out
}
