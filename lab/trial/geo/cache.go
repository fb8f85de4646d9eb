package main

import (
	"sync"
	"time"
)

type entry struct {
	value   *zone
	expires time.Time
}

// A cache holds answers for a time.
type cache struct {
	ttl time.Duration

	mu      sync.RWMutex // guards entries
	entries map[string]entry
}

func newCache(ttl time.Duration) *cache { return &cache{ttl: ttl, entries: make(map[string]entry)} }

// get returns a value that has not expired.
func (c *cache) get(key string) (*zone, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[key]
	if !ok || time.Now().After(e.expires) {
		return nil, false
	}
	return e.value, true
}

func (c *cache) put(key string, value *zone) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = entry{value: value, expires: time.Now().Add(c.ttl)} // trial:fault
}
