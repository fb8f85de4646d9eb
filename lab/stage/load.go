package stage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// loadTime is how long the load goes on at most: longer than any use of a stage.
const loadTime = 24 * time.Hour

// Pause ends the load. What is on its way is given up.
func (s *Stage) Pause() {
	s.stopLoad()
	s.loaded.Wait()
	s.mu.Lock()
	s.taps = nil
	s.mu.Unlock()
}

// Resume drives the service, after a Pause with the requests that follow, until the next or until ctx ends.
func (s *Stage) Resume(ctx context.Context) {
	ctx, s.stopLoad = context.WithCancel(ctx)
	if s.cfg.Rate == 0 || s.cfg.Request == nil {
		return
	}
	first := s.requests
	cfg := load.Config{
		Rate:        s.cfg.Rate,
		Duration:    loadTime,
		Timeout:     cmp.Or(s.cfg.Timeout, requestTime),
		MaxInFlight: s.cfg.Callers,
		Window:      s.cfg.Round,
		Request: func(i uint64) (*http.Request, error) {
			s.requests = first + i + 1
			return s.cfg.Request(s.Addr, first+i)
		},
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

// Rate is the load's, in requests per second.
func (s *Stage) Rate() float64 { return s.cfg.Rate }

// Scaling makes scaleSteps guesses, each from what the one before did, and none changes the rate by more than
// scaleMost.
const (
	scaleSteps = 3
	scaleMost  = 4
)

// Scale changes the load's rate so that the service uses so many CPUs.
func (s *Stage) Scale(ctx context.Context, cores float64) error {
	usage, err := prove.NewSampler(s.PID())
	if err != nil {
		return err
	}
	for range scaleSteps {
		sum, used, err := s.stretch(ctx, usage, func() {})
		if err != nil {
			return err
		}
		if sum.OK == 0 || used.CPUSeconds == 0 {
			return s.Failure(fmt.Sprintf("answered %d requests well at a rate of %.0f a second: what it can do is "+
				"not known",
				sum.OK, s.cfg.Rate))
		}
		rate := cores * float64(sum.OK) / used.CPUSeconds
		s.Pause()
		s.cfg.Rate = min(max(rate, s.cfg.Rate/scaleMost), s.cfg.Rate*scaleMost)
		s.Resume(ctx)
	}
	return nil
}

// stretchWindows is how many windows of load a stretch measures. The one before them, in which the load gets going, is
// left out.
const stretchWindows = 2

// stretch is what was answered, and what the process used, in some windows of load. begin is called when they begin.
func (s *Stage) stretch(ctx context.Context, usage *prove.Sampler, begin func()) (sum load.Counts, used prove.Usage,
	err error) {
	next, err := s.windows(ctx)
	if err != nil {
		return sum, used, err
	}
	if _, err := usage.Next(); err != nil {
		return sum, used, err
	}
	begin()
	for range stretchWindows {
		w, err := next(ctx)
		if err != nil {
			return sum, used, err
		}
		sum.Add(w.Counts)
	}
	if used, err = usage.Next(); err != nil {
		err = errors.Join(err, s.Failed())
	}
	return sum, used, err
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

// patience is how late a window may be: the generator hangs, then, and is not merely slow because the machine is busy.
const patience = time.Minute

func (s *Stage) next(ctx context.Context, windows <-chan load.Window) (load.Window, error) {
	timeout := time.NewTimer(s.cfg.Round + patience)
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
