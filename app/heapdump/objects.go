package heapdump

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// objects are the objects of a heap: their addresses and sizes. An object is a number, in the order of the file. Those
// of one size that lie close to each other share a span, in which an object is a bit.
type objects struct {
	spans []span   // in the order of the file
	taken []uint64 // bits of the slots of all spans
	last  uint64   // slot of the last object
	count uint32
	bytes uint64

	order []uint32 // spans by address
	bases []uint64 // their addresses
}

type span struct {
	base  uint64
	size  uint64 // of an object
	first uint32 // object
	words uint32 // where its bits begin in taken
	slots uint32
}

const (
	// maxSlots of a span keeps counting bits short. A span of the runtime has at most 1,024 objects.
	maxSlots = 1024

	// pageSize of the runtime: what lies in one page is of one size, so that nothing else can be in a gap there.
	pageSize = 8 << 10

	// maxObjects leaves room for the roots in the numbers of nodes.
	maxObjects = 1<<32 - 1<<28
)

// add adds the next object of the file.
func (o *objects) add(address, size uint64) {
	if o.count == maxObjects {
		return
	}
	slot, ok := o.next(address, size)
	if !ok {
		o.spans = append(o.spans, span{base: address, size: size, first: o.count, words: uint32(len(o.taken))})
		slot = 0
	}
	s := &o.spans[len(o.spans)-1]
	for uint32(slot/64) >= uint32(len(o.taken))-s.words {
		o.taken = append(o.taken, 0)
	}
	o.taken[s.words+uint32(slot/64)] |= 1 << (slot % 64)
	s.slots, o.last = uint32(slot)+1, slot
	o.count++
	o.bytes += size
}

// next is the slot that an object has in the last span, if it fits there.
func (o *objects) next(address, size uint64) (uint64, bool) {
	if len(o.spans) == 0 {
		return 0, false
	}
	s := &o.spans[len(o.spans)-1]
	if size != s.size || size == 0 || address <= s.base || (address-s.base)%size != 0 {
		return 0, false
	}
	slot, end := (address-s.base)/size, s.base+(o.last+1)*size
	return slot, slot < maxSlots && slot > o.last && (address-end < pageSize && address/pageSize == end/pageSize ||
		address == end)
}

// sort makes the objects ready to be found.
func (o *objects) sort() {
	o.order = make([]uint32, len(o.spans))
	for i := range o.order {
		o.order[i] = uint32(i)
	}
	slices.SortFunc(o.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(o.spans[a].base, o.spans[b].base), cmp.Compare(a, b))
	})
	o.bases = make([]uint64, len(o.order))
	for i, s := range o.order {
		o.bases[i] = o.spans[s].base
	}
}

// at finds the object that an address points to or into.
func (o *objects) at(address uint64) (uint32, bool) {
	i := sort.Search(len(o.bases), func(i int) bool { return o.bases[i] > address }) - 1
	if i < 0 {
		return 0, false
	}
	s := &o.spans[o.order[i]]
	if s.size == 0 {
		return s.first, address == s.base
	}
	slot := (address - s.base) / s.size
	if slot >= uint64(s.slots) {
		return 0, false
	}
	word := s.words + uint32(slot/64)
	if o.taken[word]&(1<<(slot%64)) == 0 {
		return 0, false
	}
	n := s.first + uint32(bits.OnesCount64(o.taken[word]&(1<<(slot%64)-1)))
	for _, w := range o.taken[s.words:word] {
		n += uint32(bits.OnesCount64(w))
	}
	return n, true
}

// span is the span of an object.
func (o *objects) span(n uint32) *span {
	return &o.spans[sort.Search(len(o.spans), func(i int) bool { return o.spans[i].first > n })-1]
}

// size is the size of an object: that of its size class, or of its pages.
func (o *objects) size(n uint32) uint64 { return o.span(n).size }

// address is where an object begins.
func (o *objects) address(n uint32) uint64 {
	s := o.span(n)
	left := n - s.first
	for i, w := range o.taken[s.words : s.words+(s.slots+63)/64] {
		if c := uint32(bits.OnesCount64(w)); left >= c {
			left -= c
			continue
		}
		for ; left > 0; left-- {
			w &= w - 1
		}
		return s.base + s.size*uint64(i*64+bits.TrailingZeros64(w))
	}
	return s.base
}
