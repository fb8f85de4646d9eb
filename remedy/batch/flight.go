package batch

import (
	"context"
	"runtime/debug"
	"slices"
	"time"
)

// A flight is one batch in one call of Flush. Batcher.mu guards waiting; the rest belongs to its goroutine.
type flight[T any] struct {
	nodes   queue[T]
	ctx     context.Context // of the call of Flush, which is all that a flight is
	cancel  context.CancelCauseFunc
	waiting int // Items whose outcome still matters: all of Put, and those of Add whose callers still wait.
}

// abandon records that one caller less waits. If none is left, it returns the function that ends the flush's context.
func (f *flight[T]) abandon() context.CancelCauseFunc {
	f.waiting--
	if f.waiting > 0 {
		return func(error) {}
	}
	return f.cancel
}

// dispatch starts the flushes that are due, and sets the timer for the one that will be. A flight that has only own,
// the item of the caller (nil for none), is returned instead of started: a lone caller does the operation itself, which
// saves the way to another goroutine and back. The caller holds b.mu.
func (b *Batcher[T]) dispatch(now time.Time, own *node[T]) (mine *flight[T]) {
	for b.pending.items > 0 && len(b.flights) < b.cfg.MaxFlushes {
		if !b.full() && !b.stopped && !b.pacer.ready(now, b.pending.items, b.pending.first.came) {
			b.arm(now, b.pacer.due(b.pending.first.came))
			return mine
		}
		if f := b.launch(now); own != nil && f.nodes.first == own { // the last to come is the first: it is alone
			mine = f
		} else {
			go b.fly(f)
		}
	}
	return mine
}

// full says whether no further item can join the batch.
func (b *Batcher[T]) full() bool {
	return b.pending.items >= b.cfg.MaxItems || b.cfg.MaxBytes > 0 && b.pending.bytes >= b.cfg.MaxBytes
}

// launch takes the oldest items for a flush, which the caller starts. The caller holds b.mu.
func (b *Batcher[T]) launch(now time.Time) *flight[T] {
	f := &flight[T]{nodes: b.pending.take(b.cfg.MaxItems, b.cfg.MaxBytes)}
	f.waiting = f.nodes.items
	b.pacer.went(now, f.nodes.items)
	for n := f.nodes.first; n != nil; n = n.next {
		n.place, n.flight = flying, f
	}
	f.ctx, f.cancel = context.WithCancelCause(context.Background())
	b.flights = append(b.flights, f)
	b.inFlight += f.nodes.items
	b.running++
	b.stats.Flushes++
	return f
}

// flyAlone does the flush of n, in the goroutine that brought it, and returns its outcome.
func (b *Batcher[T]) flyAlone(ctx context.Context, n *node[T], f *flight[T]) error {
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, func() { f.cancel(context.Cause(ctx)) })()
	}
	b.fly(f)
	err := <-n.wake // it is there
	b.recycle(n)
	return err
}

// fly does one flush, and notifies everybody. It lands also when Flush panics or ends the goroutine.
func (b *Batcher[T]) fly(f *flight[T]) {
	items := make([]T, 0, f.nodes.items)
	for n := f.nodes.first; n != nil; n = n.next {
		items = append(items, n.item)
	}
	out := outcome{all: errGoexit, died: true}
	defer func() {
		if v := recover(); v != nil {
			out = outcome{all: &PanicError{Func: "Flush", Value: v, Stack: debug.Stack()}, died: true}
		}
		f.cancel(nil)
		b.land(f, out)
	}()
	out = perItem(b.cfg.Flush(f.ctx, items), f.nodes.items) // perItem calls methods of the error: they may panic too
}

// land ends a flush: OnError gets the items of Put that failed, then the next flush may begin and everybody else learns
// how this one went, even if OnError ends the goroutine.
func (b *Batcher[T]) land(f *flight[T], out outcome) {
	defer b.landed(f, out)
	n := f.nodes.first
	for i := 0; n != nil; i, n = i+1, n.next {
		if err := out.of(i); err != nil && n.async {
			b.tell(n.item, err)
		}
	}
}

func (b *Batcher[T]) landed(f *flight[T], out outcome) {
	now := time.Now()
	b.mu.Lock()
	b.stats.Failed += out.failures(f.nodes.items)
	if out.died {
		b.stats.Panics++
	}
	b.inFlight -= f.nodes.items
	b.flights = slices.DeleteFunc(b.flights, func(o *flight[T]) bool { return o == f })
	for n := f.nodes.first; n != nil; n = n.next {
		n.place = landed
	}
	b.pacer.landed(now)
	woken := b.refill(now)
	b.mu.Unlock()

	wake(woken)
	b.settle(f, out)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.checkDrained()
}

// tell calls OnError, whose panic must not reach the goroutine it is called from.
func (b *Batcher[T]) tell(item T, err error) {
	if b.cfg.OnError == nil {
		return
	}
	defer func() {
		if recover() != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.stats.Panics++
		}
	}()
	b.cfg.OnError(item, err)
}

// settle gives each caller of Add its outcome, and recycles the nodes that nobody waits for. The flight has landed:
// neither place nor abandoned changes any more.
func (b *Batcher[T]) settle(f *flight[T], out outcome) {
	n := f.nodes.first
	for i := 0; n != nil; i++ {
		next := n.next // the node belongs to another once it is notified
		if n.async || n.abandoned {
			b.recycle(n)
		} else {
			n.wake <- out.of(i) // has room: it is told once
		}
		n = next
	}
}

// arm sets the timer, unless it is set for an earlier time: wakeUp sets it again then. The caller holds b.mu.
func (b *Batcher[T]) arm(now, at time.Time) {
	if b.armed && (!at.Before(b.alarm) || !b.timer.Stop()) { // not stopped: wakeUp is waiting for b.mu
		return
	}
	b.armed, b.alarm = true, at
	if b.timer == nil {
		b.timer = time.AfterFunc(at.Sub(now), b.wakeUp)
	} else {
		b.timer.Reset(at.Sub(now))
	}
}

// wakeUp is what the timer calls, in a goroutine of its own.
func (b *Batcher[T]) wakeUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed = false
	b.dispatch(time.Now(), nil)
	b.checkDrained()
}
