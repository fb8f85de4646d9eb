package batch

import (
	"context"
	"fmt"
	"time"
)

// Stop accepts no further item, flushes what was accepted without waiting for more, and returns when all flushes have
// ended. Callers that still wait for room get ErrStopped: their items were not accepted.
//
// When ctx is done first, what has not been given to Flush is refused with ErrStopped, the contexts of the running
// flushes are cancelled, and Stop returns an error without waiting for them. Stop may be called again, to wait longer.
func (b *Batcher[T]) Stop(ctx context.Context) error {
	b.mu.Lock()
	b.stopped = true
	turnedAway := discard(&b.outside)
	b.dispatch(time.Now(), nil)
	b.disarm()
	b.checkDrained()
	b.mu.Unlock()
	tellAll(turnedAway, fmt.Errorf("%w while the item waited for room", ErrStopped))

	select {
	case <-b.drained:
		return nil
	case <-ctx.Done():
	}
	return b.giveUp(context.Cause(ctx))
}

// giveUp rejects the items that are not in a flush, and cancels the flushes.
func (b *Batcher[T]) giveUp(cause error) error {
	b.mu.Lock()
	late := discard(&b.pending)
	flights, items := len(b.flights), b.inFlight
	b.stats.Failed += uint64(late.items)
	cancels := make([]context.CancelCauseFunc, 0, flights)
	for _, f := range b.flights {
		cancels = append(cancels, f.cancel)
	}
	b.checkDrained()
	b.mu.Unlock()

	err := fmt.Errorf("%w before the item was flushed: %w", ErrStopped, cause)
	for _, cancel := range cancels {
		cancel(fmt.Errorf("%w: no time is left to wait for this flush: %w", ErrStopped, cause))
	}
	refused := late.items
	b.refuse(late, err)
	if refused == 0 && flights == 0 {
		return nil // the last ended in this moment
	}
	return fmt.Errorf("batch: stopping: %d items were refused, and %d more are in flushes that were cancelled and "+
		"have not returned (%d): give Stop more time, or Flush less: %w",
		refused, items, flights, cause)
}

// discard takes all nodes out of a queue. The caller holds Batcher.mu.
func discard[T any](q *queue[T]) queue[T] {
	out := *q
	*q = queue[T]{}
	for n := out.first; n != nil; n = n.next {
		n.place = landed
	}
	return out
}

// tellAll gives an error to nodes that were never accepted. All their callers wait.
func tellAll[T any](q queue[T], err error) {
	for n := q.first; n != nil; {
		next := n.next // the node belongs to another once it is notified
		n.wake <- err  // has room: it is told once
		n = next
	}
}

// refuse answers accepted nodes with an error: their callers, and then OnError for those of Put.
func (b *Batcher[T]) refuse(q queue[T], err error) {
	var async []T
	for n := q.first; n != nil; {
		next := n.next // the node belongs to another once it is notified
		if n.async {
			async = append(async, n.item)
			b.recycle(n)
		} else {
			n.wake <- err // has room: it is told once
		}
		n = next
	}
	for _, item := range async {
		b.tell(item, err)
	}
}

// disarm stops the timer, if it has not fired. The caller holds b.mu.
func (b *Batcher[T]) disarm() {
	if b.armed && b.timer.Stop() {
		b.armed = false
	}
}

// checkDrained closes drained when nothing is left. The caller holds b.mu.
func (b *Batcher[T]) checkDrained() {
	if !b.stopped || b.armed || b.pending.items > 0 || b.running > 0 {
		return
	}
	select {
	case <-b.drained:
	default:
		close(b.drained)
	}
}
