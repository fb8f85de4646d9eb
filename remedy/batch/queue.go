package batch

import "time"

// A place says where a node is.
type place uint8

const (
	outside place = iota // no room for it yet: its caller waits
	pending              // accepted: it will be flushed, or reported
	flying               // in a running flush
	landed               // its outcome is on its channel, or about to be; it is in no queue
)

// A node is one item on its way. Batcher.mu guards it, except for wake and what never changes after it was made.
type node[T any] struct {
	item  T
	size  int64
	async bool // of Put: nobody waits for its outcome
	came  time.Time

	place      place
	abandoned  bool       // flying, and its caller has left
	keep       bool       // its channel may still be read when it has landed: it must not be used again
	flight     *flight[T] // while flying
	prev, next *node[T]

	wake chan error // one element: the outcome; for a Put that had to wait, that it was taken or refused
}

// A queue is a list of nodes, oldest first. A node can be taken out of the middle at no cost: that makes room for
// others when a context is done.
type queue[T any] struct {
	first, last *node[T]
	items       int
	bytes       int64
}

func (q *queue[T]) push(n *node[T]) {
	n.prev, n.next = q.last, nil
	if q.last == nil {
		q.first = n
	} else {
		q.last.next = n
	}
	q.last = n
	q.items++
	q.bytes += n.size
}

func (q *queue[T]) remove(n *node[T]) {
	if n.prev == nil {
		q.first = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		q.last = n.prev
	} else {
		n.next.prev = n.prev
	}
	n.prev, n.next = nil, nil
	q.items--
	q.bytes -= n.size
}

// take moves the oldest nodes into a queue of their own: as many as maxItems and maxBytes (0: any number) allow, and at
// least one.
func (q *queue[T]) take(maxItems int, maxBytes int64) queue[T] {
	var out queue[T]
	for n := q.first; n != nil && out.items < maxItems; n = q.first {
		if out.items > 0 && maxBytes > 0 && out.bytes+n.size > maxBytes {
			break
		}
		q.remove(n)
		out.push(n)
	}
	return out
}
