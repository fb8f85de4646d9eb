package cache

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
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

// ErrTooLarge is the error of a Set whose entry is larger than a cache of this size holds. It holds none for the key then.
var ErrTooLarge = errors.New("cache: the entry is too large")

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

// Get returns the value of a key. It is false without one, and for a negative entry.
//
// Nothing is allocated, but for values that are byte slices, which are copied, or come from a codec. A string is a view of
// the cache's memory: it never changes, also when the entry goes, but as long as it is held so is the piece of
// memory it lies in, 1 to 256 KiB. Whoever keeps a string for long should keep strings.Clone of it.
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

// A presence is what a cache knows of a key.
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

// judge says what a record is good for now. The clock is read only where there is a deadline.
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

// bytesOf is the bytes of a key, and the buffers that they lie in if it has a codec: they are to be given back.
func (c *Cache[K, V]) bytesOf(key *K) ([]byte, *buffers, error) {
	if c.keys.layout != encoded {
		b, err := c.keys.view(key, nil)
		return b, nil, err
	}
	free := c.buffers.Get().(*buffers)
	b, err := c.keys.view(key, &free.key)
	return b, free, err
}

// to gives buffers back; nil are none.
func (b *buffers) to(pool *sync.Pool) {
	if b != nil {
		pool.Put(b)
	}
}

// Set keeps a value for Config.TTL. The error is ErrTooLarge or a codec's; the cache holds nothing for the key then.
func (c *Cache[K, V]) Set(key K, value V) error { return c.set(&key, &value, c.cfg.TTL) }

// SetTTL keeps a value for ttl: NoTTL without an end, 0 for Config.TTL. The jitter applies.
func (c *Cache[K, V]) SetTTL(key K, value V, ttl time.Duration) error {
	if err := checkTTL("ttl", ttl); err != nil {
		return fmt.Errorf("cache: argument in place of a %w", err)
	}
	if ttl == 0 {
		ttl = c.cfg.TTL
	}
	return c.set(&key, &value, ttl)
}

// SetNegative keeps for Config.NegativeTTL that a key has no value: Get is false for it, GetOrLoad fails with
// ErrNotFound and does not load.
func (c *Cache[K, V]) SetNegative(key K) error {
	if c.cfg.NegativeTTL == NoNegative {
		c.Delete(key)
		return nil
	}
	return c.set(&key, nil, c.cfg.NegativeTTL)
}

// set keeps a value, or without one that there is none.
func (c *Cache[K, V]) set(key *K, value *V, ttl time.Duration) error {
	if c.closed.Load() {
		return ErrClosed
	}
	var free *buffers
	if c.keys.layout == encoded || c.values.layout == encoded {
		free = c.buffers.Get().(*buffers)
		defer free.to(&c.buffers)
	}
	k, err := c.keys.view(key, free.keyBuffer())
	if err != nil {
		return fmt.Errorf("cache: the key: %w", err)
	}
	c.loads.supersede(k)
	d, err := c.draft(k, value, ttl, free)
	if err != nil {
		c.remove(k)
		return err
	}
	held, gone := c.put(c.hash(d.key), &d)
	c.tell(gone)
	if !held {
		return c.tooLarge(&d)
	}
	return nil
}

func (c *Cache[K, V]) tooLarge(d *draft) error {
	return fmt.Errorf("%w: it has %d bytes, a cache of Config.MaxBytes %d takes up to %d", ErrTooLarge,
		d.words()*wordBytes, c.cfg.MaxBytes, c.shards[0].largest()*wordBytes)
}

// draft is what a record of a key is made of; a nil value makes a negative one.
func (c *Cache[K, V]) draft(key []byte, value *V, ttl time.Duration, free *buffers) (d draft, err error) {
	d.key = key
	if d.negative = value == nil; !d.negative {
		if d.value, err = c.values.view(value, free.valueBuffer()); err != nil {
			return d, fmt.Errorf("cache: the value: %w", err)
		}
	}
	c.date(&d, ttl)
	return d, nil
}

func (b *buffers) keyBuffer() *[]byte {
	if b == nil {
		return nil
	}
	return &b.key
}

func (b *buffers) valueBuffer() *[]byte {
	if b == nil {
		return nil
	}
	return &b.value
}

// date gives a draft its deadline.
func (c *Cache[K, V]) date(d *draft, ttl time.Duration) {
	if ttl <= 0 {
		return
	}
	if c.cfg.Sliding && ttl != c.cfg.TTL {
		d.ttl = max(ttl.Milliseconds(), 1)
	}
	if c.cfg.Jitter > 0 {
		ttl -= time.Duration(float64(ttl) * c.cfg.Jitter * rand.Float64())
	}
	d.deadline = c.now() + max(ttl.Milliseconds(), 1)
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

// Len is how many entries are held, those among them that have expired and were not removed yet.
func (c *Cache[K, V]) Len() int { return c.entries() }

// DeleteExpired removes all that is past its lifetime, and StaleFor. Sets do it a few entries at a time: it is needed only
// where expired entries must not wait for the next Sets.
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

// Clear removes all entries. Loads that are under way are not kept.
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
