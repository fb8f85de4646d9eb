package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
)

// An ending decides when a watch of --once or --for stops: never in the middle of a case, nor before each target was looked at.
type ending struct {
	stop    func()
	once    bool
	limit   time.Duration // of --for, from when the first target answers; 0 for none
	targets int

	mu     sync.Mutex      // guards what follows
	timer  *time.Timer     // of the limit, once a target has answered
	looked map[string]bool // targets that were sampled, or could not be
	taking int             // cases being taken
	up     bool            // the time of --for is up
}

func newEnding(stop func(), once bool, limit time.Duration, targets int) *ending {
	return &ending{stop: stop, once: once, limit: limit, targets: targets, looked: make(map[string]bool)}
}

func (e *ending) timeUp() {
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

// runAll runs the watches until all have ended. The first that fails ends the others.
func runAll(ctx context.Context, cancel context.CancelFunc, watches []*casebook.Watch) error {
	errs := make([]error, len(watches))
	var group sync.WaitGroup
	for i, w := range watches {
		group.Go(func() {
			if errs[i] = w.Run(ctx); errs[i] != nil {
				cancel()
			}
			if errors.Is(errs[i], context.Canceled) { // before it had begun: by another's failure, or by Ctrl-C
				errs[i] = nil
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
