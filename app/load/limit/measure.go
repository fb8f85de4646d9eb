package limit

import (
	"context"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// Measure loads what cfg describes, at a rate in place of its schedule: first for the warm-up, whose answers do not count, then
// for the step. The load's own OnWindow is called too. Answers of the warm-up that come during the step count, for they are
// waited for.
func Measure(cfg load.Config, warmup time.Duration) func(ctx context.Context, rate float64, d time.Duration) (Figures, error) {
	return func(ctx context.Context, rate float64, d time.Duration) (Figures, error) {
		var windows []load.Window
		each := cfg
		each.Rate, each.Pace = 0, load.Constant(rate)
		each.Duration, each.Window = warmup+d, d
		if warmup > 0 {
			each.Window = warmup // of which the first is dropped
		}
		each.OnWindow = func(w load.Window) {
			windows = append(windows, w)
			if cfg.OnWindow != nil {
				cfg.OnWindow(w)
			}
		}
		res, err := load.Run(ctx, each)
		if err != nil {
			return Figures{}, err
		}
		if warmup > 0 && len(windows) > 1 {
			windows = windows[1:]
		}
		return Figures{load.Sum(windows), res.Limited}, nil
	}
}
