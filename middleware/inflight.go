package middleware

import (
	"sync"
	"sync/atomic"
)

// A slot is the state of one request in flight: its start on the Meter's clock, idle or streaming.
type slot = atomic.Int64

const (
	idle      = 0
	streaming = -1 // in flight, without an age
)

// A table has the slots of the requests in flight, packed, so that reading 100,000 of them is a walk through 800 kB
// (BenchmarkRead). A pooled request keeps its slot for life: beginning and ending a request is a store. The table has
// as many slots as requests were ever in flight at once, and never shrinks: 16 bytes each.
type table struct {
	chunks atomic.Pointer[[]*chunk] // replaced, never changed; readers need no lock

	mu   sync.Mutex // guards free and the replacement of chunks; taken when the pool makes or loses a request
	free []*slot
}

const (
	slotsPerLine = 8 // 64-byte cache lines
	linesInChunk = 64
)

type chunk [linesInChunk * slotsPerLine]slot

// take returns an idle slot that has no other owner.
func (t *table) take() *slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.free) == 0 {
		t.grow()
	}
	last := len(t.free) - 1
	s := t.free[last]
	t.free = t.free[:last]
	return s
}

// give takes a slot back, from the garbage collector's cleanup of its request.
func (t *table) give(s *slot) {
	s.Store(idle)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free = append(t.free, s)
}

// grow adds a chunk. Its slots are given out a cache line apart: requests that are served on different processors were
// often made one after another, and would otherwise write to one line.
func (t *table) grow() {
	c := new(chunk)
	for at := slotsPerLine - 1; at >= 0; at-- {
		for line := linesInChunk - 1; line >= 0; line-- {
			t.free = append(t.free, &c[line*slotsPerLine+at])
		}
	}
	var chunks []*chunk
	if old := t.chunks.Load(); old != nil {
		chunks = append(chunks, *old...)
	}
	chunks = append(chunks, c)
	t.chunks.Store(&chunks)
}

// each calls f with the start of each request in flight that has an age, and returns how many are in flight in total.
func (t *table) each(f func(start int64)) (n int) {
	chunks := t.chunks.Load()
	if chunks == nil {
		return 0
	}
	for _, c := range *chunks {
		for i := range c {
			start := c[i].Load()
			if start == idle {
				continue
			}
			n++
			if start != streaming {
				f(start)
			}
		}
	}
	return n
}
