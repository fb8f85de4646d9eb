package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// ErrTooLarge is the error of a Set whose entry is larger than a cache of this size can hold. Afterwards the cache has
// no entry for the key.
var ErrTooLarge = errors.New("cache: the entry is too large")

// Set keeps a value for Config.TTL. The error is ErrTooLarge or a codec's; then the cache has no entry for the key.
func (c *Cache[K, V]) Set(key K, value V) error { return c.set(&key, &value, c.cfg.TTL) }

// SetTTL keeps a value for ttl: NoTTL without an end, 0 for Config.TTL. The jitter applies.
func (c *Cache[K, V]) SetTTL(key K, value V, ttl time.Duration) error {
	if err := checkTTL("ttl", ttl); err != nil {
		return fmt.Errorf("cache: argument instead of a %w", err)
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

// set keeps a value, or, without one, that there is none.
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
