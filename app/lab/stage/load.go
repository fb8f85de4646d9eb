package stage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// loadTime is how long the load goes on at most: longer than any use of a stage.
const loadTime = 24 * time.Hour

// startLoad drives the service until the stage is stopped.
func (s *Stage) startLoad(ctx context.Context) {
	ctx, s.stopLoad = context.WithCancel(ctx)
	if s.cfg.Rate == 0 || s.cfg.Request == nil {
		return
	}
	cfg := load.Config{
		Rate:     s.cfg.Rate,
		Duration: loadTime,
		Timeout:  requestTime,
		Window:   s.cfg.Round,
		Request:  func(i uint64) (*http.Request, error) { return s.cfg.Request(s.Addr, i) },
		OnWindow: s.window,
	}
	s.loaded.Go(func() {
		_, err := load.Run(ctx, cfg)
		if ctx.Err() == nil {
			s.mu.Lock()
			s.err = fmt.Errorf("the load ended: %w", err)
			s.mu.Unlock()
		}
	})
}

// window hands a window of load to whoever measures.
func (s *Stage) window(w load.Window) {
	s.mu.Lock()
	taps := s.taps
	s.mu.Unlock()
	for _, t := range taps {
		select {
		case t <- w:
		default: // nobody is waiting for it any more
		}
	}
}

// windows gives the windows that begin from now on, one a call. One that has begun is waited for and left out.
func (s *Stage) windows(ctx context.Context) (func(context.Context) (load.Window, error), error) {
	if s.cfg.Request == nil {
		return newItems(ctx, s)
	}
	tap := make(chan load.Window, 4)
	s.mu.Lock()
	s.taps = append(s.taps, tap)
	s.mu.Unlock()
	next := func(ctx context.Context) (load.Window, error) { return s.next(ctx, tap) }
	_, err := next(ctx)
	return next, err
}

// patience is how many rounds a window may be late.
const patience = 10

func (s *Stage) next(ctx context.Context, windows <-chan load.Window) (load.Window, error) {
	timeout := time.NewTimer(patience * s.cfg.Round)
	defer timeout.Stop()
	select {
	case w := <-windows:
		return w, s.Failed()
	case <-ctx.Done():
		return load.Window{}, ctx.Err()
	case <-timeout.C:
		return load.Window{}, errors.Join(errors.New("the load generator delivers no more figures"), s.Failed())
	}
}
