package casebook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// A countable target can say how many goroutines wait where.
type countable interface {
	Census(context.Context) ([]vitals.Place, error)
}

const (
	censusEvery   = 15 * time.Second
	censusTimeout = 10 * time.Second
)

// takeCensuses lets rules see stacks, as long as one of them asks for it.
func (w *Watch) takeCensuses(ctx context.Context) error {
	t, ok := w.cfg.Target.(countable)
	if !ok {
		return nil
	}
	tick := time.NewTicker(censusEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if !w.needsCensus() {
			continue
		}
		var none *target.EmptyError // too many to count is no fault: the rules on goroutines see those
		if err := w.takeCensus(ctx, t); err != nil && !errors.As(err, &none) {
			w.fail(fmt.Errorf("looking at stacks for the rules: %w", err))
		}
	}
}

func (w *Watch) needsCensus() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.engine.Needs()
}

func (w *Watch) takeCensus(ctx context.Context, t countable) error {
	ctx, cancel := context.WithTimeout(ctx, censusTimeout)
	defer cancel()
	var places []vitals.Place
	err := guard("counting goroutines", func() (err error) {
		places, err = t.Census(ctx)
		return err
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.engine.Census(time.Now(), places)
	return nil
}
