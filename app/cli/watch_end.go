package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/gocasebook/casebook"
)

// An ending decides when a watch of --once or --for stops: never in the middle of a case.
type ending struct {
	stop func()
	once bool

	mu     sync.Mutex // guards what follows
	taking int        // cases being taken
	up     bool       // the time of --for is up
}

func (e *ending) timeUp() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.up = true
	if e.taking == 0 {
		e.stop()
	}
}

func (e *ending) saw(kind casebook.EventKind) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch kind {
	case casebook.Tripped:
		e.taking++
	case casebook.Closed, casebook.Failed:
		e.taking = max(e.taking-1, 0)
		if e.once || e.up && e.taking == 0 {
			e.stop()
		}
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
