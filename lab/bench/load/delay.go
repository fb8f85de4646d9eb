package main

import (
	"math"
	"slices"
	"time"
)

// The delays go from 80 ms to 400 ms, with most of them below 120 ms, so that quantiles lie apart; what a network of
// one machine and its timers add, about 1 ms, is then about 1 %.
const (
	shortest = 80 * time.Millisecond
	longest  = 400 * time.Millisecond
	stall    = time.Second
)

// delayOf is the delay of the n-th request: the fractional parts of n·φ fill the interval evenly from any n on, and are
// put through the distribution's quantile function.
func delayOf(n uint64) time.Duration {
	_, u := math.Modf(float64(n) * math.Phi)
	return shortest + time.Duration(math.Pow(u, 4)*float64(longest-shortest))
}

// meanDelay is the mean of the distribution: ∫u⁴ is 1/5.
const meanDelay = shortest + (longest-shortest)/5

// leaves is when a server that stands still from one moment to another answers what it would have answered at a time.
func leaves(at, from, until time.Duration) time.Duration {
	if at >= from && at < until {
		return until
	}
	return at
}

// truth is the latencies that callers have who come at a rate for a time, in order of size.
func truth(rate float64, d, from, until time.Duration) []time.Duration {
	var all []time.Duration
	for n := uint64(0); ; n++ {
		at := time.Duration(float64(n) / rate * float64(time.Second))
		if at >= d {
			break
		}
		all = append(all, leaves(at+delayOf(n), from, until)-at)
	}
	slices.Sort(all)
	return all
}

// quantile is by nearest rank.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}
