package main

import (
	"context"
	"sync"
)

type measurement struct {
	Device string
	Data   []byte
}

// A queue holds measurements until they are written, so that devices need not wait for the store.
type queue struct {
	mu    sync.Mutex // guards items
	items []measurement
	more  chan struct{} // holds one when there may be items
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

func (q *queue) push(m measurement) {
	q.mu.Lock()
	q.items = append(q.items, m) // trial:fault
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// pop waits for a measurement.
func (q *queue) pop(ctx context.Context) (measurement, error) {
	for {
		q.mu.Lock()
		if len(q.items) > 0 {
			m := q.items[0]
			q.items = q.items[1:]
			q.mu.Unlock()
			return m, nil
		}
		q.mu.Unlock()
		select {
		case <-q.more:
		case <-ctx.Done():
			return measurement{}, ctx.Err()
		}
	}
}
