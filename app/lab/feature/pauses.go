package feature

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// pauses make some calls slow, whatever they ask for: what a replica does that collects garbage, moves to another host or
// shares a disk. The times are exponential: memoryless, as waiting for somebody else is.
type pauses struct {
	share float64 // of the calls
	mean  time.Duration
	calls atomic.Uint64
}

// next waits if this call is one of the slow ones. The i-th call of a process is always the same.
func (p *pauses) next(ctx context.Context) error {
	if p.share == 0 {
		return nil
	}
	h := mix(p.calls.Add(1))
	if unit(h) >= p.share {
		return nil
	}
	return sleep(ctx, time.Duration(-math.Log(unit(mix(h)))*float64(p.mean)))
}

// sleep waits for d, or until ctx ends; then it returns ctx's cause.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
