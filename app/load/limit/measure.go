package limit

import (
	"context"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// Measure loads what cfg describes, at a rate instead of its schedule: first for the warm-up, whose answers do not
// count, then for the step. The load's own OnWindow is called too. Answers of the warm-up that come during the step
// count, because they are waited for. Random arrivals are other ones in each step: a step that is tried again, or
// confirmed, must not depend on one draw.
func Measure(cfg load.Config, arrivals load.Arrivals, seed uint64, warmup time.Duration) func(ctx context.Context,
	rate float64, d time.Duration) (Figures, error) {
	step := uint64(0)
	return func(ctx context.Context, rate float64, d time.Duration) (Figures, error) {
		pieces := max(1, (warmup+d-1)/d) // of the warm-up, so that a window is never longer than the step
		each := cfg
		each.Rate, each.Pace = 0, arrivals.Of(rate, seed+step)
		step++
		each.Duration, each.Window = warmup+d, d
		if warmup > 0 {
			each.Window = warmup / pieces
		}
		var counted load.Counts
		began := time.Duration(0) // of the window, after the start of the run
		each.OnWindow = func(w load.Window) {
			if began > warmup-each.Window/2 {
				counted.Add(w.Counts)
			}
			began += time.Duration(w.Seconds * float64(time.Second))
			if cfg.OnWindow != nil {
				cfg.OnWindow(w)
			}
		}
		res, err := load.Run(ctx, each)
		if err != nil {
			return Figures{}, err
		}
		return Figures{counted, res.Limited}, nil
	}
}
