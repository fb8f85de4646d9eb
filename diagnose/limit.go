package diagnose

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Detectors work on bounded data, so one that does not end is broken, and a limit keeps it from holding up the others.
// A limit on the clock alone also takes for broken what waits for a CPU: on a machine with a load of 100 for 2 cores a
// process gets a fiftieth of each, and half a second of work takes 25. So the limit is one of the clock while the
// process gets as much CPU time as passes, and one of CPU time while it gets less.
//
// What is measured is the CPU time of the process, because a goroutine has none of its own. In a service that keeps
// several cores busy the detectors may get little of it; there the limit is that of the clock.

// maxWait is how many times the limit passes on the clock at the most: a detector that waits for something that never
// comes uses no CPU, as if it were starved. With a limit of 20 s that is 5 minutes, which is 100 detectors of 0.2 s at
// a fifteenth of a core.
const maxWait = 15

// tooLong is why withLimit ended a context.
type tooLong struct {
	limit, clock, cpu time.Duration
}

func (l tooLong) Error() string {
	if l.clock < l.limit+time.Second {
		return fmt.Sprintf("not finished after %v", l.limit)
	}
	return fmt.Sprintf("not finished after %v, in which this process got %v of CPU time",
		l.clock.Round(time.Second), l.cpu.Round(time.Second/10))
}

// withLimit returns a context that ends when limit has passed and the process has used as much CPU time, by used; where
// that is not available, when limit has passed. cancel ends it, and waits for what measured.
func withLimit(ctx context.Context, limit time.Duration, used func() (time.Duration, bool)) (
	_ context.Context, cancel func(),
) {
	ctx, end := context.WithCancelCause(ctx)
	measured := make(chan struct{})
	spent := spending(used)
	go func() {
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
	}()
	return ctx, func() { end(nil); <-measured }
}

// spending returns a func that says what has passed on the clock from now on, and what CPU time was used: as much as
// has passed where that is not available.
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

// remaining is how long to wait until the next look, when clock has passed and cpu was used: nothing at the limit.
func remaining(limit, clock, cpu time.Duration) time.Duration {
	left := max(limit-clock, limit-cpu)
	if left > 0 {
		left = max(left, limit/20) // or the last looks come ever faster
	}
	return min(left, maxWait*limit-clock)
}

// stopReason says why detectors were not waited for.
func stopReason(ctx context.Context) string {
	if limit := (tooLong{}); errors.As(context.Cause(ctx), &limit) {
		return limit.Error()
	}
	return "cancelled"
}
