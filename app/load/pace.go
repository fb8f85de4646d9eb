package load

import (
	"math"
	"sort"
	"time"
)

// A Pace is a schedule of arrivals: the intended start of the i-th request, from 0, as an offset from the start of the
// run, and false when there is none any more. Offsets must not fall as i grows. It is a pure function, asked in order
// by one goroutine; a run ends at Config.Duration even if the Pace continues.
type Pace func(i uint64) (at time.Duration, ok bool)

// Constant returns a Pace of evenly spaced arrivals, rate of them a second (above 0). Each is computed from i, not from
// the one before, so that rounding does not add up: to the nanosecond over the first 100 days.
func Constant(rate float64) Pace {
	return func(i uint64) (time.Duration, bool) { return durationOf(float64(i) / rate) }
}

// Replay returns a Pace of given arrivals, in order.
func Replay(offsets []time.Duration) Pace {
	return func(i uint64) (time.Duration, bool) {
		if i >= uint64(len(offsets)) {
			return 0, false
		}
		return offsets[i], true
	}
}

// First returns the first n arrivals of a Pace.
func First(n uint64, p Pace) Pace {
	return func(i uint64) (time.Duration, bool) {
		if i >= n {
			return 0, false
		}
		return p(i)
	}
}

// Between returns the piece of a Pace from one offset to another, moved to begin at 0, and the number of its arrivals:
// those due at from or later and before to.
func Between(p Pace, from, to time.Duration) (piece Pace, n uint64) {
	first, end := before(p, from), before(p, to)
	if end <= first {
		return First(0, p), 0
	}
	n = end - first
	return First(n, func(i uint64) (time.Duration, bool) {
		at, ok := p(first + i)
		return at - from, ok
	}), n
}

// before returns how many arrivals of a Pace are due before a moment.
func before(p Pace, moment time.Duration) uint64 {
	late := func(i int) bool {
		at, ok := p(uint64(i))
		return !ok || at >= moment
	}
	most := 1
	for most < math.MaxInt/2 && !late(most) {
		most *= 2
	}
	return uint64(sort.Search(most, late))
}
