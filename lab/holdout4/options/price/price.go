// Package price values options by simulation.
package price

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
)

// Asian is an option on the mean price until it ends: there is no closed formula for it.
type Asian struct {
	Spot, Strike, Rate, Volatility, Years float64
	Steps                                 int
}

// path is the payoff of one course of the price.
func (o *Asian) path(rnd *rand.Rand, drift, spread float64) float64 {
	logPrice, sum := math.Log(o.Spot), 0.0
	for range o.Steps {
		logPrice += drift + spread*rnd.NormFloat64()
		sum += math.Exp(logPrice)
	}
	return max(sum/float64(o.Steps)-o.Strike, 0)
}

// Simulator runs paths on as many goroutines as there are processors.
type Simulator struct{ turns chan struct{} }

func NewSimulator() *Simulator {
	return &Simulator{make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Value is the mean payoff of n paths, discounted. It is the same for the same seed.
func (s *Simulator) Value(ctx context.Context, o Asian, n int, seed uint64) (float64, error) {
	dt := o.Years / float64(o.Steps)
	drift, spread := (o.Rate-o.Volatility*o.Volatility/2)*dt, o.Volatility*math.Sqrt(dt)
	parts := cap(s.turns)
	sums := make([]float64, parts)
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			select {
			case s.turns <- struct{}{}:
			case <-ctx.Done():
				return
			}
			defer func() { <-s.turns }()
			rnd := rand.New(rand.NewPCG(seed, uint64(part)))
			sum := 0.0
			for i := part; i < n && ctx.Err() == nil; i += parts {
				sum += o.path(rnd, drift, spread)
			}
			sums[part] = sum
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return math.Exp(-o.Rate*o.Years) * total / float64(n), nil
}
