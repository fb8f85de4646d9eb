package cache

import (
	"sync/atomic"
)

// A table is the index of a shard: buckets of one cache line, eight words each, with linear probing from bucket to
// bucket. A word contains the place of a record, how often it was recently asked for (0–3), and 30 bits of its key's
// hash; 0 is empty. These bits also determine an entry's bucket, so that a table grows without looking at the keys.
//
// For an entry in bucket b all buckets from its home to b-1 are full: a reader stops at the first that is not. Readers
// take no lock. They may miss an entry that is being moved to an earlier bucket; shard.moves tells them to look again.
type table struct {
	words   []uint64 // accessed atomically
	buckets int
	count   int // entries; needs the shard's lock
}

type word uint64

const (
	bucketWords = 8

	freqShift = 32
	freqOne   = 1 << freqShift
	freqMax   = 3
	freqMask  = freqMax << freqShift
	tagShift  = 34
	tagBits   = 30

	// maxLoad, in 100 words: above it, buckets overflow into their neighbours too often. growth, in 4: small steps
	// leave less memory empty.
	maxLoad = 85
	growth  = 5
)

func makeWord(p place, freq int, tag uint32) word {
	return word(uint64(p) | uint64(freq)<<freqShift | uint64(tag)<<tagShift)
}

func (w word) place() place         { return place(w) }
func (w word) freq() int            { return int(w >> freqShift & freqMax) }
func (w word) tag() uint32          { return uint32(w >> tagShift) }
func (w word) same(other word) bool { return w&^freqMask == other&^freqMask }

// tagOf is the part of a hash that the index keeps.
func tagOf(h uint64) uint32 { return uint32(h) & (1<<tagBits - 1) }

func newTable(buckets int) *table {
	return &table{words: make([]uint64, buckets*bucketWords), buckets: buckets}
}

func (t *table) home(tag uint32) int { return int(uint64(tag) * uint64(t.buckets) >> tagBits) }

func (t *table) next(b int) int {
	if b++; b == t.buckets {
		return 0
	}
	return b
}

func (t *table) load(i int) word     { return word(atomic.LoadUint64(&t.words[i])) }
func (t *table) store(i int, w word) { atomic.StoreUint64(&t.words[i], uint64(w)) }

// used counts one more use, up to freqMax. The count is lost if another goroutine changes the word at this moment.
func (t *table) used(i int, w word) {
	if w.freq() < freqMax {
		atomic.CompareAndSwapUint64(&t.words[i], uint64(w), uint64(w)+freqOne)
	}
}

// bytes is the memory of the words.
func (t *table) bytes() int { return len(t.words) * wordBytes }

func (t *table) full() bool { return (t.count+1)*100 > len(t.words)*maxLoad }

// insert puts a word where there is room. The table must not be full.
func (t *table) insert(w word) {
	for b := t.home(w.tag()); ; b = t.next(b) {
		for i := b * bucketWords; i < (b+1)*bucketWords; i++ {
			if t.load(i) == 0 {
				t.store(i, w)
				t.count++
				return
			}
		}
	}
}

// grown is a larger table of the same entries.
func (t *table) grown() *table {
	n := newTable(t.buckets*growth/4 + 1)
	for i := range t.words {
		if w := t.load(i); w != 0 {
			n.insert(w)
		}
	}
	return n
}

// find is the index of the word of a record, by its place; -1 if the index does not point there.
func (t *table) find(tag uint32, p place) int {
	return t.match(tag, func(q place) bool { return p == q })
}

// match is the index of the first word with a tag whose place is right; -1 if there is none. The caller holds the
// shard's lock.
func (t *table) match(tag uint32, right func(place) bool) int {
	b := t.home(tag)
	for range t.buckets {
		full := true
		for i := b * bucketWords; i < (b+1)*bucketWords; i++ {
			w := t.load(i)
			if w == 0 {
				full = false
			} else if w.tag() == tag && right(w.place()) {
				return i
			}
		}
		if !full {
			break
		}
		b = t.next(b)
	}
	return -1
}

// remove takes out the word at i. Entries that had to go further because this bucket was full come back: each is
// written to its new word first, then moves is raised, and only then its old word is overwritten.
func (t *table) remove(i int, moves *atomic.Uint64) {
	t.count--
	for {
		j := t.displaced(i / bucketWords)
		if j < 0 {
			t.store(i, 0)
			return
		}
		t.store(i, t.load(j))
		moves.Add(1)
		i = j
	}
}

// displaced is the index of a word that is after bucket b, but would be in b or before it if b had room; otherwise -1.
func (t *table) displaced(b int) int {
	if !t.isFull(b) {
		return -1
	}
	for x, far := t.next(b), 1; far < t.buckets; x, far = t.next(x), far+1 {
		full := true
		for i := x * bucketWords; i < (x+1)*bucketWords; i++ {
			w := t.load(i)
			if w == 0 {
				full = false
				continue
			}
			if t.distance(t.home(w.tag()), x) >= far {
				return i
			}
		}
		if !full {
			break
		}
	}
	return -1
}

func (t *table) isFull(b int) bool {
	for i := b * bucketWords; i < (b+1)*bucketWords; i++ {
		if t.load(i) == 0 {
			return false
		}
	}
	return true
}

// distance is how many steps lead from bucket a to bucket b.
func (t *table) distance(a, b int) int {
	if b -= a; b < 0 {
		b += t.buckets
	}
	return b
}
