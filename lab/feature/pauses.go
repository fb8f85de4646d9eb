package feature

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/serve"
)

// pauses make some calls slow, whatever they ask for: what a replica does that collects garbage, moves to another host
// or shares a disk. The times are exponential: memoryless, as waiting for somebody else is.
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
	h := draw.Mix(p.calls.Add(1))
	if draw.Unit(h) >= p.share {
		return nil
	}
	return serve.Sleep(ctx, time.Duration(-math.Log(draw.Unit(draw.Mix(h)))*float64(p.mean)))
}
