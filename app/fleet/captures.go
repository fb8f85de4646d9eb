package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/store"
)

const (
	captureWorkers = 4               // at a time: each waits for a target that profiles, and computes little
	captureHold    = 5 * time.Minute // a capture takes half a minute, its diagnosis seconds
	capturePause   = time.Second     // between looks at an empty queue
	captureAgain   = 10 * time.Second
)

// capture takes what is asked for, until ctx ends.
func (f *Fleet) capture(ctx context.Context, worker int) {
	holder := fmt.Sprintf("%s/%s/%d", thisProcess(), rand.Text(), worker)
	for ctx.Err() == nil {
		worked, err := f.captureNext(ctx, holder)
		if err != nil && ctx.Err() == nil {
			f.log.Warn("capture", "error", err)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(capturePause):
		}
	}
}

// captureNext takes one capture. worked says that one waited.
func (f *Fleet) captureNext(ctx context.Context, holder string) (worked bool, err error) {
	c, err := f.cfg.Store.TakeCapture(ctx, holder, f.ids(), captureHold)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if c.Case == "" {
		if err := f.open(ctx, &c); err != nil {
			return true, f.putBack(ctx, c, err)
		}
	}
	if err := f.finish(ctx, c); err != nil {
		return true, f.putBack(ctx, c, err)
	}
	f.log.Info("captured", "capture", c.ID, "case", c.Case, "reason", c.Reason)
	return true, nil
}

func (f *Fleet) ids() (ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, m := range f.members {
		if m.held {
			ids = append(ids, id)
		}
	}
	return ids
}

// errEnded drops a capture.
var errEnded = errors.New("the alert ended before its turn came")

// open opens the case of a capture, and puts it into the store.
func (f *Fleet) open(ctx context.Context, c *store.Capture) error {
	if !c.Ended.IsZero() {
		return errEnded
	}
	m := f.member(c.Target)
	if m == nil {
		return silentError("it is not watched any more")
	}
	ctx, cancel := context.WithTimeout(ctx, captureHold-time.Minute) // before another process takes it
	defer cancel()
	o, err := m.take(ctx, c)
	if err != nil {
		return err
	}
	c.Case = o.Case
	if err := f.cfg.Store.CaptureTaken(ctx, *c); err != nil {
		return err
	}
	if o.Path == "" {
		return nil
	}
	return put(ctx, f.cfg.Store, o.Path)
}

// finish writes the alert into the case.
func (f *Fleet) finish(ctx context.Context, c store.Capture) error {
	for {
		if err := f.cfg.Store.NoteAlert(ctx, c); err != nil {
			return err // also where the store has not got the case yet
		}
		err := f.cfg.Store.CaptureDone(ctx, c)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
		now, err := f.cfg.Store.Capture(ctx, c.ID)
		if err != nil {
			return err
		}
		c.Ended = now.Ended
	}
}

// putBack gives a capture up, or lets it be tried again.
func (f *Fleet) putBack(ctx context.Context, c store.Capture, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // also when the server ends
	defer cancel()
	age := time.Since(c.Asked)
	if errors.Is(why, errEnded) || age > store.CaptureAge {
		return f.cfg.Store.CaptureDropped(ctx, c, why)
	}
	after := captureAgain
	if errors.Is(why, casebook.ErrBusy) {
		after = time.Second
	}
	return f.cfg.Store.CaptureFailed(ctx, c, why, after)
}
