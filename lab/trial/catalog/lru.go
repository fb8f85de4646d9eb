package main

import (
	"container/list"
	"sync"
)

type slot struct {
	id      string
	product *product
}

// An lru holds the products that were asked for last.
type lru struct {
	size int

	mu    sync.Mutex // guards what follows
	order *list.List // of slots, the latest at the front
	slots map[string]*list.Element
}

func newLRU(size int) *lru {
	return &lru{size: size, order: list.New(), slots: make(map[string]*list.Element)}
}

func (l *lru) get(id string) (*product, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.slots[id]
	if !ok {
		return nil, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*slot).product, true
}

func (l *lru) put(id string, p *product) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.slots[id]; ok {
		e.Value.(*slot).product = p
		l.order.MoveToFront(e)
		return
	}
	l.slots[id] = l.order.PushFront(&slot{id: id, product: p})
	if l.order.Len() > l.size {
		oldest := l.order.Back()
		l.order.Remove(oldest)
		delete(l.slots, oldest.Value.(*slot).id)
	}
}
