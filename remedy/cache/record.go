package cache

import (
	"sync/atomic"
	"unsafe"
)

// A record is an entry in a segment: a header word, for long entries two words more, then the bytes of key and value,
// padded to whole words. Nothing of it changes once an index points to it, except for the deadline of a sliding
// lifetime, which is read and written atomically. That is what lets a reader work without a lock, and a string point
// into it.
//
//	word 0   bit 0: negative, 1: wide, 2–39: deadline in ms of the cache's clock (0: never), 40–47: bytes of the key, 48–63: of the value
//	wide:    word 1: bytes of the key (upper half) and of the value, word 2: lifetime in ms
type record struct{ p unsafe.Pointer }

const (
	wordBytes = 8

	flagNegative = 1 << 0
	flagWide     = 1 << 1

	deadlineShift = 2
	deadlineBits  = 38 // 8.7 years of ms
	deadlineMask  = (1<<deadlineBits - 1) << deadlineShift
	keyShift      = 40
	valueShift    = 48
	narrowKey     = 1<<8 - 1
	narrowValue   = 1<<16 - 1
)

// A draft is what a record is made from.
type draft struct {
	key, value []byte
	deadline   int64 // ms of the cache's clock; 0: never
	ttl        int64 // ms, of a sliding lifetime that is not the cache's; otherwise 0
	negative   bool
}

func (d *draft) wide() bool {
	return len(d.key) > narrowKey || len(d.value) > narrowValue || d.ttl != 0
}

// words is the length of the record.
func (d *draft) words() int {
	header := 1
	if d.wide() {
		header = 3
	}
	return header + (len(d.key)+len(d.value)+wordBytes-1)/wordBytes
}

// write fills dst, which has d.words() words.
func (d *draft) write(dst []uint64) {
	w, header := uint64(d.deadline)<<deadlineShift&deadlineMask, 1
	if d.negative {
		w |= flagNegative
	}
	if d.wide() {
		w |= flagWide
		dst[1] = uint64(len(d.key))<<32 | uint64(len(d.value))
		dst[2] = uint64(d.ttl)
		header = 3
	} else {
		w |= uint64(len(d.key))<<keyShift | uint64(len(d.value))<<valueShift
	}
	dst[0] = w
	if header < len(dst) {
		body := unsafe.Slice((*byte)(unsafe.Pointer(&dst[header])), (len(dst)-header)*wordBytes)
		copy(body[copy(body, d.key):], d.value)
	}
}

func (r record) header() uint64 { return atomic.LoadUint64((*uint64)(r.p)) }

func (r record) word(i int) uint64 { return *(*uint64)(unsafe.Add(r.p, i*wordBytes)) }

// shape is where the body begins, in bytes, and how long key and value are.
func (r record) shape(header uint64) (body, key, value int) {
	if header&flagWide == 0 {
		return wordBytes, int(header >> keyShift & narrowKey), int(header >> valueShift)
	}
	w := r.word(1)
	return 3 * wordBytes, int(w >> 32), int(uint32(w))
}

func (r record) words() int {
	body, key, value := r.shape(r.header())
	return (body + key + value + wordBytes - 1) / wordBytes
}

// key and value are views: they must not be written to.
func (r record) key() []byte {
	body, key, _ := r.shape(r.header())
	return r.bytes(body, key)
}

func (r record) value() []byte {
	body, key, value := r.shape(r.header())
	return r.bytes(body+key, value)
}

func (r record) bytes(at, n int) []byte {
	if n == 0 {
		return nil // at may be the end of the segment
	}
	return unsafe.Slice((*byte)(unsafe.Add(r.p, at)), n)
}

// hasKey compares the whole key.
func (r record) hasKey(k []byte) bool {
	body, key, _ := r.shape(r.header())
	return key == len(k) && string(r.bytes(body, key)) == string(k)
}

// ttl is the record's own sliding lifetime in ms, 0 if it has none.
func (r record) ttl(header uint64) int64 {
	if header&flagWide == 0 {
		return 0
	}
	return int64(r.word(2))
}

func deadlineOf(header uint64) int64 { return int64(header & deadlineMask >> deadlineShift) }

// prolong moves the deadline. It does nothing if another goroutine did at this moment.
func (r record) prolong(header uint64, deadline int64) {
	next := header&^deadlineMask | uint64(deadline)<<deadlineShift&deadlineMask
	atomic.CompareAndSwapUint64((*uint64)(r.p), header, next)
}

// copyRecord copies a whole record; the caller holds the shard's lock. A deadline that a reader moves at this moment is
// lost: the entry then ends earlier, which is allowed.
func copyRecord(dst []uint64, r record) {
	copy(dst[1:], unsafe.Slice((*uint64)(r.p), len(dst))[1:])
	dst[0] = r.header()
}
