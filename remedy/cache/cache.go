package cache

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"sync"
	"time"
)

// A Cache keeps values by key. Make it with New; its methods are safe for concurrent use.
type Cache[K, V any] struct {
	store
	cfg     Config[K, V] // with defaults
	keys    form[K]
	values  form[V]
	buffers sync.Pool // of *buffers
	loads   loads[K, V]
}

// buffers are what codecs append to.
type buffers struct{ key, value []byte }

// New makes a cache. It starts nothing.
func New[K, V any](cfg Config[K, V]) (*Cache[K, V], error) {
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache[K, V]{cfg: cfg.withDefaults()}
	c.buffers.New = func() any { return new(buffers) }
	var errs [2]error
	c.keys, errs[0] = formOf(cfg.KeyCodec, true)
	c.values, errs[1] = formOf(cfg.ValueCodec, false)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	memory, err := newMemory(cfg.Memory)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c.open(memory)
	return c, nil
}

// open makes the store.
func (c *Cache[K, V]) open(m *memory) {
	n := shardsFor(c.cfg.MaxBytes, c.cfg.MaxEntries, c.cfg.Memory)
	c.seed, c.started, c.memory = maphash.MakeSeed(), time.Now(), m
	c.shift = uint(64 - bits.TrailingZeros(uint(n)))
	c.shards = make([]shard, n)
	c.counts.init()
	c.tuner.init()
	if c.cfg.Sliding {
		c.sliding = c.cfg.TTL.Milliseconds()
	}
	c.mapped = m.mapped()
	for i := range c.shards {
		s := &c.shards[i]
		s.limits, s.memory, s.seed = limitsFor(c.cfg.MaxBytes, c.cfg.MaxEntries, n), c.memory, c.seed
		s.grace, s.watched = c.cfg.StaleFor.Milliseconds(), c.cfg.OnRemove != nil
		s.dir.init(s.limits.segmentWords)
		s.index.Store(newTable(firstBuckets))
	}
}

// Get returns the value of a key. It returns false if there is none, and for a negative entry.
//
// Nothing is allocated, except for values that are byte slices, which are copied, or come from a codec. A string is a
// view of the cache's memory: it never changes, even when the entry is removed. But as long as somebody keeps it, the
// piece of memory that it is in stays too, 1 to 512 KiB. To keep a string for long, keep strings.Clone of it.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	r, _, state := c.find(&key, 0)
	if state != present {
		return value, false
	}
	v, err := c.values.decode(r.value())
	if err != nil {
		c.counts.undecodable.Add(1)
		return value, false
	}
	return v, true
}

// Append appends the bytes of a key's value to b, without an allocation if b has room: the way to read byte slices.
func (c *Cache[K, V]) Append(b []byte, key K) ([]byte, bool) {
	r, _, state := c.find(&key, 0)
	if state != present {
		return b, false
	}
	return append(b, r.value()...), true
}

// A presence is what a cache knows about a key.
type presence int

const (
	absent presence = iota
	present
	negative
	aged // beyond its lifetime, within StaleFor
)

// find looks a key up, counts, and prolongs a sliding lifetime. With grace 0 an aged record is absent.
func (c *Cache[K, V]) find(key *K, grace int64) (r record, header uint64, state presence) {
	k, free, err := c.bytesOf(key)
	if err != nil {
		c.counts.undecodable.Add(1)
		return r, 0, absent
	}
	h := c.hash(k)
	r, found := c.lookup(h, k)
	free.to(&c.buffers)
	if !found {
		c.counts.missed()
		return r, 0, absent
	}
	header = r.header()
	state = c.judge(r, header, grace)
	c.counts.judged(state)
	return r, header, state
}

// judge says what a record is good for now. The clock is read only if there is a deadline.
func (s *store) judge(r record, header uint64, grace int64) presence {
	if d := deadlineOf(header); d != 0 {
		now := s.now()
		switch {
		case now >= d+grace:
			return absent
		case now >= d:
			return aged
		}
		if s.sliding != 0 {
			s.slide(r, header, now)
		}
	}
	if header&flagNegative != 0 {
		return negative
	}
	return present
}

// bytesOf is the bytes of a key and, if it has a codec, their buffers, which the caller must release.
func (c *Cache[K, V]) bytesOf(key *K) ([]byte, *buffers, error) {
	if c.keys.layout != encoded {
		b, err := c.keys.view(key, nil)
		return b, nil, err
	}
	free := c.buffers.Get().(*buffers)
	b, err := c.keys.view(key, &free.key)
	return b, free, err
}

// to returns buffers; nil: none.
func (b *buffers) to(pool *sync.Pool) {
	if b != nil {
		pool.Put(b)
	}
}

// Delete removes the entry of a key, and says whether there was one.
func (c *Cache[K, V]) Delete(key K) bool {
	k, free, err := c.bytesOf(&key)
	defer free.to(&c.buffers)
	return err == nil && c.remove(k)
}

func (c *Cache[K, V]) remove(key []byte) bool {
	c.loads.supersede(key)
	was, gone := c.delete(c.hash(key), key)
	c.tell(gone)
	return was
}

// Len is the number of entries, including those that have expired and were not removed yet.
func (c *Cache[K, V]) Len() int { return c.entries() }

// DeleteExpired removes everything that is past its lifetime, and StaleFor. Sets do it a few entries at a time: it is
// needed only if expired entries must not wait for the next Sets.
func (c *Cache[K, V]) DeleteExpired() {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.sweep.all(s, c.now())
		gone := s.takeGone()
		s.mu.Unlock()
		c.tell(gone)
	}
}

// Clear removes all entries. Loads that are running are not kept.
func (c *Cache[K, V]) Clear() {
	c.loads.supersedeAll()
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.clear()
		gone := s.takeGone()
		s.mu.Unlock()
		c.tell(gone)
	}
}
