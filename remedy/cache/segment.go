package cache

import (
	"sync/atomic"
	"unsafe"
)

// A segment is a piece of memory that records are appended to and that is released as a whole. In Go's memory it is
// never written to again: it goes to the collector, which keeps it while a string points into it.
type segment struct {
	id     uint32
	queue  uint8    // that it is in
	words  []uint64 // memory without pointers
	used   int      // words appended
	live   int      // words of records that the index points to
	sealed bool     // nothing is appended any more
	gone   bool     // released; its queue skips it
}

// A place is where a record is: the segment's id, and the offset in words. The number of bits of the offset is the
// directory's.
type place uint32

// A directory finds segments by id. Readers use it without a lock; everything else needs the shard's lock.
type directory struct {
	offsetBits uint
	// of an array: the first word of each segment, read and written atomically
	bases    atomic.Pointer[unsafe.Pointer]
	room     int        // of that array
	segments []*segment // by id; nil: free. 0 is never used, so that no place is 0
	free     []uint32
	spare    []segment // not used yet: made by the chunk, so that the collector meets fewer objects
}

// segmentChunk is how many segments are made at once.
const segmentChunk = 32

func (d *directory) init(segmentWords int) {
	for 1<<d.offsetBits < segmentWords {
		d.offsetBits++
	}
	d.segments = make([]*segment, 1, 8)
	d.room = 8
	d.bases.Store(unsafe.SliceData(make([]unsafe.Pointer, d.room)))
}

// add gives a segment of that memory an id.
func (d *directory) add(words []uint64, queue uint8) *segment {
	if len(d.spare) == 0 {
		d.spare = make([]segment, segmentChunk)
	}
	g := &d.spare[0]
	d.spare = d.spare[1:]
	*g = segment{words: words, queue: queue}
	if n := len(d.free); n > 0 {
		g.id, d.free = d.free[n-1], d.free[:n-1]
		d.segments[g.id] = g
	} else {
		g.id = uint32(len(d.segments))
		d.segments = append(d.segments, g)
	}
	if int(g.id) >= d.room {
		larger := make([]unsafe.Pointer, 2*d.room)
		copy(larger, unsafe.Slice(d.bases.Load(), d.room))
		d.room = len(larger)
		d.bases.Store(unsafe.SliceData(larger))
	}
	atomic.StorePointer(d.base(g.id), unsafe.Pointer(unsafe.SliceData(words)))
	return g
}

// base is the array's element of a segment. An id that the index has is within the array: ids are never taken back from
// it, and code that read the id from the index reads this array or a larger one.
func (d *directory) base(id uint32) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(d.bases.Load()), uintptr(id)*unsafe.Sizeof(uintptr(0))))
}

// remove forgets a segment to which no index points any more.
func (d *directory) remove(g *segment) {
	g.gone, g.words = true, nil // its chunk may live on
	atomic.StorePointer(d.base(g.id), nil)
	d.segments[g.id] = nil
	d.free = append(d.free, g.id)
}

func (d *directory) place(g *segment, offset int) place {
	return place(g.id<<d.offsetBits | uint32(offset))
}

func (d *directory) segment(p place) *segment { return d.segments[p>>d.offsetBits] }

// first is the first word of the segment at a place, nil when it is gone. It needs no lock.
func (d *directory) first(p place) unsafe.Pointer {
	return atomic.LoadPointer(d.base(uint32(p >> d.offsetBits)))
}

// in is the record at a place in the segment that has this first word. It must be the place's own segment: in a smaller
// one that was given its id the pointer would be behind the end, and the collector ends a program that has such a one.
func (d *directory) in(first unsafe.Pointer, p place) record {
	return record{unsafe.Add(first, int(p&(1<<d.offsetBits-1))*wordBytes)}
}

// at is the record at a place that the index has; the caller holds the shard's lock.
func (d *directory) at(p place) record { return d.in(d.first(p), p) }
