package casebook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A countable target can report how many goroutines wait where.
type countable interface {
	Census(context.Context) ([]vitals.Place, error)
}

// A census costs the target half a millisecond and 3 µs a goroutine from outside: of 300 each 2 s less than a
// thousandth of a core.
const (
	censusEvery   = 15 * time.Second
	censusSoon    = 2 * time.Second
	censusFew     = 300 // goroutines
	censusTimeout = 10 * time.Second
)

// takeCensuses shows the rules the stacks, as long as a rule needs them.
func (w *Watch) takeCensuses(ctx context.Context) error {
	t, ok := ability[countable](w.layers)
	if !ok {
		return nil
	}
	tick := time.NewTicker(censusSoon)
	defer tick.Stop()
	var due time.Time
	goroutines := 0 // of the last census
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if goroutines > censusFew && time.Until(due) > censusSoon/2 || !w.needsCensus() {
			continue
		}
		due = time.Now().Add(censusEvery)
		var none *instance.EmptyError // too many to count is not an error: the rules on goroutines see those
		var err error
		w.apart(func() { goroutines, err = w.takeCensus(ctx, t) })
		switch {
		case err == nil:
		case ctx.Err() != nil: // the watch ends: that is no fault of the target's
			return nil
		case errors.As(err, &none):
			goroutines = censusFew + 1
		default:
			w.fail(fmt.Errorf("looking at stacks for the rules: %w", err))
		}
	}
}

func (w *Watch) needsCensus() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.engine.Needs()
}

// takeCensus shows the rules where goroutines wait, and returns how many there are.
func (w *Watch) takeCensus(ctx context.Context, t countable) (goroutines int, err error) {
	ctx, cancel := context.WithTimeout(ctx, censusTimeout)
	defer cancel()
	var places []vitals.Place
	err = guard("counting goroutines", func() (err error) {
		places, err = t.Census(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	for i := range places {
		goroutines += places[i].Count
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.engine.Census(time.Now(), places)
	return goroutines, nil
}
