package casework

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
)

// An ending decides when a watch with Once or For stops: never in the middle of a case, or before it has looked at
// each target.
type ending struct {
	stop    func()
	once    bool
	limit   time.Duration // of For, from when the first target answers; 0 for none
	targets int
	last    func() // what is done before the watch stops; nil: nothing

	mu     sync.Mutex      // guards what follows
	timer  *time.Timer     // of the limit, once a target has answered
	looked map[string]bool // targets that were sampled, or could not be
	taking int             // cases being taken
	up     bool            // the time of For is up
}

func newEnding(stop func(), once bool, limit time.Duration, targets int) *ending {
	return &ending{stop: stop, once: once, limit: limit, targets: targets, looked: make(map[string]bool)}
}

func (e *ending) timeUp() {
	if e.last != nil {
		e.last()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.up = true
	e.stopIfDone()
}

func (e *ending) stopIfDone() {
	if e.up && e.taking == 0 && len(e.looked) >= e.targets {
		e.stop()
	}
}

func (e *ending) saw(url string, kind casebook.EventKind) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch kind {
	case casebook.Started:
		if e.limit > 0 && e.timer == nil {
			e.timer = time.AfterFunc(e.limit, e.timeUp)
		}
	case casebook.Sampled, casebook.Lost:
		e.looked[url] = true // its rules are judged before the event: a case that they open is in taking
		e.stopIfDone()
	case casebook.Tripped:
		e.taking++
	case casebook.Declined:
		e.taking = max(e.taking-1, 0)
		e.stopIfDone()
	case casebook.Closed, casebook.Failed:
		e.taking = max(e.taking-1, 0)
		if e.once {
			e.stop()
		}
		e.stopIfDone()
	}
}

// end stops the timer.
func (e *ending) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer != nil {
		e.timer.Stop()
	}
}

// askAgain is the time between two attempts to start the watch of a target that did not answer.
const askAgain = 15 * time.Second

// runAll runs the watches until all have ended. A target that does not answer at the start is reported, and is tried
// again as long as another one runs: a target that hangs must not keep the others from being watched. It fails when
// none can begin, and at the end for those that never began.
func runAll(ctx context.Context, watches []*watched, pace *Pace, refused func(w *watched, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := beginning{cancel: cancel, pace: pace, left: len(watches)}
	errs := make([]error, len(watches))
	var group sync.WaitGroup
	for i, w := range watches {
		group.Go(func() {
			errs[i] = b.run(ctx, w, func(err error) {
				if len(watches) > 1 {
					refused(w, err)
				}
			})
			if errors.Is(errs[i], context.Canceled) { // before it had started: by another's failure, or by Ctrl-C
				errs[i] = nil
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// A beginning counts the watches that have not been refused yet.
type beginning struct {
	cancel context.CancelCauseFunc
	pace   *Pace

	mu   sync.Mutex // guards what follows
	left int
}

var errNoneBegan = errors.New("no target answered")

// run watches one target, once it answers. The error says why the watch ended by itself, or why it could not start.
func (b *beginning) run(ctx context.Context, w *watched, refused func(error)) (err error) {
	for try := 0; ; try++ {
		var waited error
		if w.answered, waited = b.pace.Wait(ctx); waited != nil {
			return err
		}
		before := w.Status().Ticks
		last := w.Run(ctx)
		w.answered()
		switch {
		case last == nil:
			return nil
		case errors.Is(last, context.Canceled):
			return err
		case w.Status().Ticks > before:
			b.cancel(last)
			return last
		}
		if err = last; try == 0 {
			refused(err)
			b.refused()
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(askAgain):
		}
	}
}

func (b *beginning) refused() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left--; b.left == 0 {
		b.cancel(errNoneBegan)
	}
}
