package batch

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Batcher gathers items and flushes them in batches. Make it with New; its methods are safe for concurrent use.
type Batcher[T any] struct {
	cfg     Config[T]
	nodes   sync.Pool     // of *node[T] that are in no queue
	drained chan struct{} // closed when stopped and nothing is left

	mu       sync.Mutex // guards what follows, and the nodes; nothing else's code is called while it is held
	outside  queue[T]   // callers that wait for room, first come, first served
	pending  queue[T]   // taken, to be flushed
	flights  []*flight[T]
	inFlight int // items of flights
	running  int // goroutines of flights; one outlives its flight until all callers have their outcome
	pacer    pacer
	timer    *time.Timer // calls wakeUp at alarm; made when first needed
	alarm    time.Time
	armed    bool // from when timer is set until wakeUp has started
	stopped  bool
	stats    Stats
}

// New makes a Batcher. It starts nothing: goroutines are there only while there are items, and Stop waits for them.
func New[T any](cfg Config[T]) (*Batcher[T], error) {
	if cfg.Size == nil {
		cfg.Size = lengthOf[T]()
	}
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("batch: %w", err)
	}
	cfg = cfg.withDefaults()
	return &Batcher[T]{cfg: cfg, pacer: newPacer(cfg.MaxDelay), drained: make(chan struct{})}, nil
}

// Add hands over an item, and waits until the flush of its batch has ended. It returns the item's error.
//
// An item that is alone is flushed by the goroutine of Add itself, as if Flush were called directly: when ctx is done,
// so is Flush's context. With other items, Add returns at once when ctx is done first, with the context's cause. An
// item that still waited is withdrawn and never flushed. The outcome of an item that was being flushed is not known,
// and the error is also ErrInFlight. Flush may then still use what the item points to.
func (b *Batcher[T]) Add(ctx context.Context, item T) error {
	n, mine, err := b.join(ctx, item, false)
	if err != nil {
		return err
	}
	if mine != nil {
		return b.flyAlone(ctx, n, mine)
	}
	select {
	case err = <-n.wake:
	case <-ctx.Done():
		if left, err := b.leave(ctx, n); left {
			return err
		}
		err = <-n.wake // it landed in this moment
	}
	b.recycle(n)
	return err
}

// Put hands over an item and does not wait for its flush, only for room in the queue. Nil means that it was accepted:
// it will be flushed, or OnError gets the reason why not. ctx matters only until then; an item with an error was not
// accepted.
func (b *Batcher[T]) Put(ctx context.Context, item T) error {
	n, _, err := b.join(ctx, item, true)
	if n == nil {
		return err // nil, or why it was rejected
	}
	select {
	case err = <-n.wake:
	case <-ctx.Done():
		if left, err := b.leave(ctx, n); left {
			return err
		}
		err = <-n.wake
	}
	return err
}

// join puts an item into a queue. With async the node is nil unless the caller has to wait for room: once it is
// accepted, it no longer belongs to the caller. If a flight is returned, the caller must fly it.
func (b *Batcher[T]) join(ctx context.Context, item T, async bool) (n *node[T], mine *flight[T], err error) {
	size, err := b.cfg.size(item)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("batch: not added: %w", context.Cause(ctx))
	}
	now := time.Now()
	n = b.node(item, size, async, now)

	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return nil, nil, fmt.Errorf("%w: no item is taken any more", ErrStopped)
	}
	if b.outside.items > 0 || !b.room(size) {
		n.place, n.keep = outside, async
		b.outside.push(n)
		b.stats.Waited++
		return n, nil, nil
	}
	b.admit(n, now)
	if async {
		b.dispatch(now, nil)
		return nil, nil, nil
	}
	return n, b.dispatch(now, n), nil
}

// leave withdraws the item of a context that is done. It returns false if the outcome is there already.
func (b *Batcher[T]) leave(ctx context.Context, n *node[T]) (left bool, err error) {
	cause := context.Cause(ctx)
	b.mu.Lock()
	switch {
	case n.place == outside:
		b.outside.remove(n)
		err = fmt.Errorf("batch: withdrawn while the queue was full: %w", cause)
	case n.place == pending && !n.async:
		b.pending.remove(n)
		err = fmt.Errorf("batch: withdrawn while it waited for its flush: %w", cause)
	case n.place == flying && !n.async:
		n.abandoned = true
		cancel := n.flight.abandon()
		b.stats.Abandoned++
		b.mu.Unlock()
		cancel(errAbandoned)
		return true, fmt.Errorf("%w: %w", ErrInFlight, cause)
	default: // landed; or of Put, and accepted
		b.mu.Unlock()
		return false, nil
	}
	b.stats.Withdrawn++
	woken := b.refill(time.Now())
	b.mu.Unlock()
	wake(woken)
	b.recycle(n)
	return true, err
}

// room says whether an item of that size fits into the queue. The caller holds b.mu, here and below.
func (b *Batcher[T]) room(size int64) bool {
	fits := b.cfg.MaxBytes == 0 || b.pending.bytes+size <= b.cfg.queueBytes()
	return fits && b.pending.items < b.cfg.queueItems()
}

func (b *Batcher[T]) admit(n *node[T], now time.Time) {
	n.place = pending
	b.pending.push(n)
	b.stats.Items++
	b.pacer.came(now, b.pending.items+b.inFlight, n.async)
}

// refill accepts items from outside while there is room, and starts what is then due. It returns those whose callers
// wait for nothing else, to be woken without the lock.
func (b *Batcher[T]) refill(now time.Time) (woken []*node[T]) {
	b.dispatch(now, nil)
	for n := b.outside.first; n != nil && b.room(n.size); n = b.outside.first {
		b.outside.remove(n)
		b.admit(n, now)
		if n.async {
			woken = append(woken, n)
		}
		b.dispatch(now, nil)
	}
	b.checkDrained()
	return woken
}

// wake tells callers that their items were accepted.
func wake[T any](nodes []*node[T]) {
	for _, n := range nodes {
		n.wake <- nil // has room: it is told once
	}
}

func (b *Batcher[T]) node(item T, size int64, async bool, now time.Time) *node[T] {
	n, _ := b.nodes.Get().(*node[T])
	if n == nil {
		n = &node[T]{wake: make(chan error, 1)}
	}
	n.item, n.size, n.async, n.came = item, size, async, now
	return n
}

// recycle returns a node that is no longer referenced.
func (b *Batcher[T]) recycle(n *node[T]) {
	if n.keep {
		return
	}
	*n = node[T]{wake: n.wake}
	b.nodes.Put(n)
}
