package trial

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// Check reports errors in a configuration before anything is started.
func (c Config) Check() error {
	_, err := c.checked()
	return err
}

// LeastSlice returns the slice from which on a block has enough requests for the latency quantile q (0–1), in whole
// tens of ms. Random arrivals are fewer than their mean half of the time: with four standard deviations more, one block
// of 30,000 lacks the figure.
func LeastSlice(rate, q float64) time.Duration {
	requests := prove.MinAbove / (1 - q)
	requests += 4 * math.Sqrt(requests)
	slices := float64(2 * minPasses)
	return time.Duration(math.Ceil(100*requests/slices/rate)) * 10 * time.Millisecond
}
