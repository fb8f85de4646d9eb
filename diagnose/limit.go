package diagnose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/own"
)

// Detectors work on bounded data, so one that does not end is broken, and a limit keeps it from blocking the others. A
// limit on the clock alone also stops detectors that only wait for a CPU: on a machine with a load of 100 for 2 cores a
// process gets a fiftieth of each, and half a second of work takes 25. So the limit is on the clock while the process
// gets as much CPU time as passes, and on CPU time while it gets less.
//
// What is measured is the CPU time of the process, because a goroutine has none of its own. In a service that keeps
// several cores busy the detectors may get little of it; there the limit is on the clock.

// maxWait is how many times the limit may pass on the clock: a detector that waits for something that never comes uses
// no CPU, as if it were starved. With a limit of 20 s that is 5 minutes, enough for 100 detectors of 0.2 s at a
// fifteenth of a core.
const maxWait = 15

// tooLong is why withLimit ended a context.
type tooLong struct {
	limit, clock, cpu time.Duration
}

func (l tooLong) Error() string {
	if l.clock < l.limit+time.Second {
		return fmt.Sprintf("not finished after %v", l.limit)
	}
	return fmt.Sprintf("not finished after %s, in which this process got %s of CPU time",
		number.Duration(l.clock), number.Duration(l.cpu))
}

// withLimit returns a context that ends when limit has passed and the process has used as much CPU time, as used
// reports. If CPU time is not available, it ends when limit has passed. cancel ends it, and waits for the goroutine
// that measures.
func withLimit(ctx context.Context, limit time.Duration, used func() (time.Duration, bool)) (
	_ context.Context, cancel func(),
) {
	ctx, end := context.WithCancelCause(ctx)
	measured := make(chan struct{})
	spent := spending(used)
	own.Go(func() {
		defer close(measured)
		for wait := limit; wait > 0; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			clock, cpu := spent()
			wait = remaining(limit, clock, cpu)
			if wait <= 0 {
				end(tooLong{limit, clock, cpu})
			}
		}
	})
	return ctx, func() { end(nil); <-measured }
}

// spending returns a func that returns the clock time from now on, and the CPU time used. If CPU time is not available,
// it returns the clock time for both.
func spending(used func() (time.Duration, bool)) func() (clock, cpu time.Duration) {
	start := time.Now()
	before, known := used()
	return func() (clock, cpu time.Duration) {
		clock = time.Since(start)
		now, ok := used()
		if !known || !ok {
			return clock, clock
		}
		return clock, now - before
	}
}

// remaining is how long to wait until the next look, after clock has passed and cpu was used; nothing at the limit.
func remaining(limit, clock, cpu time.Duration) time.Duration {
	left := max(limit-clock, limit-cpu)
	if left > 0 {
		left = max(left, limit/20) // otherwise the last looks come faster and faster
	}
	return min(left, maxWait*limit-clock)
}

// stopReason says why the engine stopped waiting for detectors.
func stopReason(ctx context.Context) string {
	if limit := (tooLong{}); errors.As(context.Cause(ctx), &limit) {
		return limit.Error()
	}
	return "cancelled"
}
