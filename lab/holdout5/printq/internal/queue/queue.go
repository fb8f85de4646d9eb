// Package queue is a bounded queue that several may take from.
package queue

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Who waits looks a few times in a row and then leaves the queue alone, for so short that a job does not notice.
const (
	looks = 50
	idle  = 40 * time.Microsecond
)

// Queue is first in, first out.
type Queue[T any] struct {
	mu    sync.Mutex
	items []T
	limit int
}

// New holds at most limit items.
func New[T any](limit int) *Queue[T] { return &Queue[T]{limit: limit} }

// Push is false if the queue is full.
func (q *Queue[T]) Push(item T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) >= q.limit {
		return false
	}
	q.items = append(q.items, item)
	return true
}

func (q *Queue[T]) pop() (item T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return item, false
	}
	item, q.items = q.items[0], q.items[1:]
	return item, true
}

// Next waits for an item or for the end of ctx.
func (q *Queue[T]) Next(ctx context.Context) (T, error) {
	for {
		for range looks {
			if item, ok := q.pop(); ok {
				return item, nil
			}
			runtime.Gosched()
		}
		if err := ctx.Err(); err != nil {
			var zero T
			return zero, err
		}
		time.Sleep(idle)
	}
}
