package cache

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Stats are what a cache has done since it was made, and what it holds. They are always counted.
type Stats struct {
	Hits     uint64 // values found within their lifetime
	Misses   uint64 // keys without an entry
	Negative uint64 // entries found that say that there is no value
	Stale    uint64 // values served beyond their lifetime, by GetOrLoad

	Sets    uint64
	Removed [6]uint64 // entries, by Cause: Removed[cache.Evicted]

	Entries int   // held, including expired ones that were not removed yet
	Bytes   int64 // of segments, index and ghosts: what MaxBytes bounds

	Loads       LoadStats
	Panics      uint64 // of OnRemove and OnError
	Undecodable uint64 // keys and values that their codec rejected
	Mode        string // of eviction: by frequency, by recency, or keeping what is there
}

// Stats adds up the counts. It takes each shard's lock for a moment.
func (c *Cache[K, V]) Stats() Stats {
	s := Stats{Mode: modeNames()[c.tuner.current.Load()], Panics: c.counts.panics.Load(),
		Undecodable: c.counts.undecodable.Load()}
	for i := range c.counts.stripes {
		p := &c.counts.stripes[i]
		s.Hits += p.hits.Load()
		s.Misses += p.misses.Load()
		s.Negative += p.negative.Load()
		s.Stale += p.stale.Load()
	}
	for i := range c.shards {
		c.shards[i].stats(&s)
	}
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	s.Loads = c.loads.stats
	return s
}

func (s *shard) stats(sum *Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum.Sets += s.sets
	sum.Entries += s.count()
	sum.Bytes += int64(s.held())
	for cause, n := range s.causes {
		sum.Removed[cause] += n
	}
}

// held is the memory that a shard uses, in bytes.
func (s *shard) held() int {
	n := s.index.Load().bytes() + s.ghosts.bytes()
	for _, g := range s.dir.segments {
		if g != nil {
			n += len(g.words) * wordBytes
		}
	}
	return n
}

// counters are what Gets count. They are spread over stripes, so that processors do not wait for each other's cache
// line.
type counters struct {
	stripes     []stripe
	panics      atomic.Uint64
	undecodable atomic.Uint64
}

// A stripe has a cache line of its own.
type stripe struct {
	hits, misses, negative, stale atomic.Uint64
	_                             [32]byte
}

// stripesPerProcessor makes it unlikely that two goroutines at work share one: once in 64 with two of them.
const stripesPerProcessor = 32

func (c *counters) init() {
	n := 1
	for n < stripesPerProcessor*runtime.GOMAXPROCS(0) {
		n *= 2
	}
	c.stripes = make([]stripe, n)
}

// mine is the stripe of this goroutine, by the address of its stack: two goroutines that run at the same time mostly
// have different ones.
func (c *counters) mine() *stripe {
	var here byte
	// 2⁶⁴ divided by the golden ratio: spreads neighbouring stacks (Knuth, vol. 3, 6.4)
	const golden = 0x9E3779B97F4A7C15
	a := uint64(uintptr(unsafe.Pointer(&here))) >> 11 * golden
	return &c.stripes[a>>32&uint64(len(c.stripes)-1)]
}

func (c *counters) missed() { c.mine().misses.Add(1) }

func (c *counters) judged(p presence) {
	s := c.mine()
	switch p {
	case present:
		s.hits.Add(1)
	case negative:
		s.negative.Add(1)
	case aged:
		s.stale.Add(1)
	default:
		s.misses.Add(1)
	}
}
