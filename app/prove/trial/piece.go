package trial

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/internal/number"
)

// A piece is the load of one turn: each server of a block gets the same arrivals, to the nanosecond.
type piece struct {
	pace   load.Pace
	n      uint64 // requests
	length time.Duration
}

// steady returns a piece with the rate's requests, and one at least: evenly spaced, or a stretch of a Poisson process.
func (t *trial) steady(length time.Duration) piece {
	if t.Arrivals == load.EvenArrivals {
		n := max(1, uint64(math.Round(t.Rate*length.Seconds())))
		return piece{load.First(n, load.Constant(t.Rate)), n, length}
	}
	for range draws {
		if pace, n := load.Between(load.Poisson(t.Rate, t.random.Uint64()), 0, length); n > 0 {
			return piece{pace, n, length}
		}
	}
	at := time.Duration(t.random.Float64() * float64(length))
	return piece{load.Replay([]time.Duration{at}), 1, length}
}

// minPieces is how many pieces of a schedule a block has at least, where the time allows. With two of them a block is
// mostly of one half of a ramp, and blocks would differ by what they were given.
const minPieces = 4

// pieces returns the loads of the n passes of a block. Of a schedule they are a stratified sample: the k-th begins at a
// random moment of the k-th of n equal parts, so that each block has something of the whole schedule, in its order, and
// no moment is preferred. What takes longer than a slice to build up does not.
//
// Its random moments are others in each block.
func (t *trial) pieces(n int) []piece {
	t.Pace = t.Pace.Seeded(t.random.Uint64())
	out := make([]piece, n)
	for k := range out {
		out[k] = t.drawn(k, n)
	}
	return out
}

// draws bounds the search for a moment at which something arrives: a block without a request has no figures.
const draws = 8

// drawn returns the k-th of n pieces. Where arrivals are so rare that draws moments have none, it begins at one of
// them.
func (t *trial) drawn(k, n int) piece {
	if t.Pace.Pace == nil {
		return t.steady(t.Slice)
	}
	low, high := t.moment(float64(k)/float64(n)), t.moment(float64(k+1)/float64(n))
	for range draws {
		if p := t.from(low + time.Duration(t.random.Float64()*float64(high-low))); p.n > 0 {
			return p
		}
	}
	if part, count := load.Between(t.Pace.Pace, low, high); count > 0 {
		at, _ := part(t.random.Uint64N(count)) // it is one of count
		return t.from(low + at)
	}
	return t.from(low)
}

// moment returns a share (0–1) of the moments at which a slice can begin.
func (t *trial) moment(share float64) time.Duration {
	return time.Duration(share * float64(max(t.Pace.Ends-t.Slice, 0)))
}

// from returns a slice of the schedule.
func (t *trial) from(begin time.Duration) piece {
	pace, n := load.Between(t.Pace.Pace, begin, begin+t.Slice)
	return piece{pace, n, t.Slice}
}

// even returns a load for a time that both sides get while they are profiled: of a schedule, slices from evenly over
// it.
func (t *trial) even(length time.Duration) []piece {
	if t.Pace.Pace == nil {
		return []piece{t.steady(length)}
	}
	out := make([]piece, max(1, int(math.Round(float64(length)/float64(t.Slice)))))
	for k := range out {
		out[k] = t.from(t.moment((float64(k) + 0.5) / float64(len(out))))
	}
	return out
}

// checkLoad settles the rate: of a schedule its mean, at which servers are warmed up.
func (c *Config) checkLoad() error {
	what := fmt.Sprintf("%s requests a second", number.Digits(c.Rate))
	if c.Pace.Pace != nil {
		switch {
		case c.Rate != 0:
			return fmt.Errorf("both Rate and Pace are set: set one of them")
		case c.Pace.Ends <= 0:
			return fmt.Errorf("the pace %q never ends, but turns are pieces of it: give it a time, "+
				"for instance: %s 60s", c.Pace.Text, c.Pace.Text)
		}
		c.Rate = c.Pace.Mean()
		what = fmt.Sprintf("the pace %q, %s requests a second on average,", c.Pace.Text, number.Digits(c.Rate))
	}
	if n := c.Rate * c.Slice.Seconds(); !(n >= minSlice && n <= maxSlice) {
		return fmt.Errorf("%s for %v are %.3g requests a slice: want %d to %d; change the rate or --slice",
			what, c.Slice, n, minSlice, maxSlice)
	}
	return nil
}

// Bounds of the requests of a slice: with fewer the ratio of two slices is mostly chance.
const (
	minSlice = 10
	maxSlice = 10_000_000
)
