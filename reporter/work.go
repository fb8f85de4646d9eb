package reporter

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// An ending is how a Run ends: first no more pauses are made (soon), then calls that do not return are left (abandon).
// Between the two the context of all calls is cancelled.
type ending struct{ soon, abandon <-chan struct{} }

// run works until the end. Its error says that a call was abandoned.
func (w *worker) run(ctx context.Context, e ending) error {
	err := w.runAll(ctx, e)
	s := w.state()
	if s.Pending > 0 {
		w.log.warn("reports are left unsent", "reporter", w.r.Name, "reports", s.Pending)
	}
	if err == nil {
		return nil
	}
	w.log.error("a reporter did not end", "reporter", w.r.Name, "busy_since", s.BusySince)
	return fmt.Errorf("reporter %q: %w", w.r.Name, err)
}

func (w *worker) runAll(ctx context.Context, e ending) error {
	if w.r.outbox == nil {
		return w.work(ctx, e, step{w.r.Send, w.sent})
	}
	var delivery sync.WaitGroup
	var delivered error
	allKept := make(chan struct{})
	own.In(&delivery, func() { delivered = w.deliver(ctx, e, allKept) })
	err := w.work(ctx, e, step{w.r.outbox.keep, func() { wake(w.kept) }})
	close(allKept)
	delivery.Wait()
	return errors.Join(err, delivered)
}

func (w *worker) task(do func(context.Context) error) task {
	return task{do: do, timeout: w.r.Timeout, late: w.late}
}

// A step is what is done with a queued report: sent, or kept for delivery.
type step struct {
	do   func(context.Context, Report) error
	done func() // called after each success
}

// work takes one queued report after the other.
func (w *worker) work(ctx context.Context, e ending, s step) error {
	if !w.sending.wait(e.soon) {
		return errAbandoned // by an earlier Run, and it still runs
	}
	for last := false; ctx.Err() == nil; {
		r, dropped, ok := w.next()
		if dropped > 0 {
			w.log.warn("reports were dropped: the queue was full", "reporter", w.r.Name, "reports", dropped, "size",
				w.size)
		}
		switch {
		case ok:
			if err := w.tell(ctx, e, r, s); err != nil {
				return err
			}
		case last:
			return nil
		default:
			select {
			case <-w.arrived:
			case <-e.soon:
				last = true // and look once more
			}
		}
	}
	return nil
}

// tell tries one report until that is done or given up. Its error says that the call was abandoned.
func (w *worker) tell(ctx context.Context, e ending, r delivery, s step) error {
	defer w.settled()
	for try := 1; ; try++ {
		err := w.sending.call(ctx, w.task(func(ctx context.Context) error { return s.do(ctx, r.Report) }), e.abandon)
		if err == nil {
			s.done()
			w.settle(r, nil)
			return nil
		}
		err = fmt.Errorf("case %s: %w", plain(r.Case.ID, maxWord), err)
		if errors.Is(err, errAbandoned) {
			w.failed(err, "a report was given up: the reporter ignores its context")
			w.settle(r, err)
			return errAbandoned
		}
		if isFinal(err) || try >= w.r.Retry.Tries || ctx.Err() != nil {
			w.failed(err, "a report was given up")
			w.settle(r, err)
			return nil
		}
		after := retryAfter(err)
		pause := w.r.Retry.pause(try, after, rand.Float64())
		w.retrying(err, pause)
		if !rest(pause, e.soon) && after > 0 { // a server that asks for a pause gets no hurried last try
			w.failed(err, "a report was given up: the watch ends before the server accepts reports again")
			w.settle(r, err)
			return nil
		}
	}
}

// deliver sends what the outbox has kept, until that is all and no more will come. Its error says that the call was
// abandoned.
func (w *worker) deliver(ctx context.Context, e ending, allKept <-chan struct{}) error {
	if !w.delivering.wait(e.soon) {
		return errAbandoned
	}
	last := false // nothing more will be kept
	for failures := 0; ctx.Err() == nil; {
		err := w.delivering.call(ctx, w.task(w.r.outbox.deliver), e.abandon)
		pause := time.Duration(0)
		switch {
		case errors.Is(err, errAbandoned):
			return errAbandoned
		case errors.Is(err, errNothing) && last:
			return nil
		case errors.Is(err, errNothing):
			failures, last = 0, !w.moreKept(allKept)
		case errors.Is(err, errElsewhere):
			pause = elsewherePause
		case w.delivered(err):
			failures = 0
		default:
			failures++
			pause = w.r.Retry.pause(failures, retryAfter(err), rand.Float64())
			w.retrying(err, pause)
		}
		if pause > 0 && !rest(pause, e.soon) {
			return nil
		}
	}
	return nil
}

// delivered counts an answer of the outbox after which the report does not wait any more, and reports whether err is
// one.
func (w *worker) delivered(err error) bool {
	var refused *refusedError
	switch {
	case err == nil:
		w.sent()
	case errors.As(err, &refused):
		w.failed(err, "a report was refused")
	default:
		return errors.Is(err, errGone)
	}
	return true
}

// moreKept waits until there may be something to deliver. It is false when nothing more will be kept.
func (w *worker) moreKept(allKept <-chan struct{}) bool {
	look := time.NewTimer(lookPause)
	defer look.Stop()
	select {
	case <-w.kept:
	case <-look.C:
	case <-allKept:
		return false
	}
	return true
}

// rest pauses for d. It is false when soon cut it short.
func rest(d time.Duration, soon <-chan struct{}) bool { return !within(d, soon) }
