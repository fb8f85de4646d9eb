package feature

import (
	"container/list"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// A decodedCache is an LRU of groups as structs, so that nobody has to parse a group twice.
type decodedCache struct {
	size int

	mu      sync.Mutex // guards what follows
	entries map[key]*list.Element
	order   *list.List // of *decodedEntry; the last used first
}

type decodedEntry struct {
	key      key
	group    *Group
	deadline time.Time
}

func newDecodedCache(size int) *decodedCache {
	return &decodedCache{size: size, entries: make(map[key]*list.Element, size), order: list.New()}
}

func (c *decodedCache) Append(b []byte, k key) ([]byte, bool) {
	g := c.get(k, time.Now())
	if g == nil {
		return b, false
	}
	return appendGroup(b, g), true
}

// get is the group of a key; nil without one. A group is never changed, so that it can be read without the lock.
func (c *decodedCache) get(k key, now time.Time) *Group {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[k]
	if !ok {
		return nil
	}
	entry := e.Value.(*decodedEntry)
	if !now.Before(entry.deadline) {
		c.remove(e)
		return nil
	}
	c.order.MoveToFront(e)
	return entry.group
}

func (c *decodedCache) Set(k key, data []byte, deadline time.Time) error {
	g := new(Group)
	if err := json.Unmarshal(data, g); err != nil {
		return fmt.Errorf("decoding group %s of user %d for the cache: %w", k.group(), k.user(), err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[k]; ok {
		c.remove(e)
	}
	for c.order.Len() >= c.size {
		c.remove(c.order.Back())
	}
	c.entries[k] = c.order.PushFront(&decodedEntry{k, g, deadline})
	return nil
}

// remove needs mu.
func (c *decodedCache) remove(e *list.Element) {
	c.order.Remove(e)
	delete(c.entries, e.Value.(*decodedEntry).key)
}

func (c *decodedCache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}

func (c *decodedCache) Close() {}
