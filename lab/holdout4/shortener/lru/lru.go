// Package lru keeps what was used lately.
package lru

import (
	"sync"
	"time"
)

type slot[V any] struct {
	value V
	used  time.Time
	hits  int
}

// Cache holds at most capacity entries. When it is full, the entry that was not used for the longest time goes.
type Cache[K comparable, V any] struct {
	mu       sync.Mutex
	capacity int
	slots    map[K]*slot[V]
	evicted  int
}

func New[K comparable, V any](capacity int) *Cache[K, V] {
	return &Cache[K, V]{capacity: capacity, slots: make(map[K]*slot[V], capacity)}
}

// Get is the value of a key, if it is here.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.slots[key]
	if !ok {
		var zero V
		return zero, false
	}
	s.used = time.Now()
	s.hits++
	return s.value, true
}

// Put keeps a value.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.slots[key]; ok {
		s.value, s.used = value, time.Now()
		return
	}
	if len(c.slots) >= c.capacity {
		c.evict()
	}
	c.slots[key] = &slot[V]{value: value, used: time.Now()}
}

func (c *Cache[K, V]) evict() {
	var oldest K
	var at time.Time
	first := true
	for k, s := range c.slots {
		if first || s.used.Before(at) {
			oldest, at, first = k, s.used, false
		}
	}
	delete(c.slots, oldest)
	c.evicted++
}

// Stats are for the status page.
func (c *Cache[K, V]) Stats() (size, evicted int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.slots), c.evicted
}
