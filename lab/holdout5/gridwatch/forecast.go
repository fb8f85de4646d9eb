package main

import (
	"math"
	"sync"
)

// Forecaster forecasts each substation's load by Holt-Winters, with the smoothing that fits its week best.
type Forecaster struct {
	grid    *grid
	horizon int
}

// Recompute forecasts all substations.
func (f *Forecaster) Recompute() {
	var wg sync.WaitGroup
	for _, s := range f.grid.all {
		wg.Go(func() {
			next := f.forecast(s.week())
			s.forecast.Store(&next)
		})
	}
	wg.Wait()
}

type smoothing struct{ level, trend, season float64 }

func (f *Forecaster) forecast(week []float64) []float64 {
	best, least := smoothing{}, math.Inf(1)
	for _, level := range []float64{0.1, 0.2, 0.35, 0.5, 0.7, 0.9} {
		for _, trend := range []float64{0.01, 0.05, 0.1, 0.3} {
			for _, season := range []float64{0.05, 0.1, 0.2, 0.4, 0.6} {
				s := smoothing{level, trend, season}
				if _, miss := s.run(week, 0); miss < least {
					best, least = s, miss
				}
			}
		}
	}
	out, _ := best.run(week, f.horizon)
	return out
}

const day = 96

// run smooths a series, sums the squares of what it would have missed, and goes on beyond the end.
func (s smoothing) run(series []float64, beyond int) (next []float64, miss float64) {
	var seasonal [day]float64
	level, trend := series[0], 0.0
	for t, x := range series {
		i := t % day
		if t >= day {
			d := x - (level + trend + seasonal[i])
			miss += d * d
		}
		was := level
		level = s.level*(x-seasonal[i]) + (1-s.level)*(level+trend)
		trend = s.trend*(level-was) + (1-s.trend)*trend
		seasonal[i] = s.season*(x-level) + (1-s.season)*seasonal[i]
	}
	for h := range beyond {
		next = append(next, level+float64(h+1)*trend+seasonal[(len(series)+h)%day])
	}
	return next, miss
}
