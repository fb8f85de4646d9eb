// Package lru is the classic LRU cache: a map of list elements, five heap objects an entry with boxed keys and values.
package lru

import "container/list"

// A Cache holds the entries used last.
type Cache struct {
	size  int
	order *list.List
	items map[any]*list.Element
}

type entry struct{ key, value any }

// New returns a cache of at most size entries.
func New(size int) *Cache {
	return &Cache{size: size, order: list.New(), items: make(map[any]*list.Element)}
}

// Get returns an entry's value and marks it as used.
func (c *Cache) Get(key any) (any, bool) {
	e, ok := c.items[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).value, true
}

// Set adds or replaces an entry.
func (c *Cache) Set(key, value any) {
	if e, ok := c.items[key]; ok {
		e.Value.(*entry).value = value
		c.order.MoveToFront(e)
		return
	}
	c.items[key] = c.order.PushFront(&entry{key, value})
	if c.order.Len() > c.size {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.items, last.Value.(*entry).key)
	}
}
