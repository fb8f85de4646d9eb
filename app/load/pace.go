package load

import "time"

// A Pace is a schedule of arrivals: the intended start of the i-th request, from 0, as an offset from the start of the
// run, and false when there is none any more. Offsets must not fall as i grows. It is a pure function, asked in order
// by one goroutine; a run ends at Config.Duration even when the Pace goes on.
type Pace func(i uint64) (at time.Duration, ok bool)

// Constant is a Pace of evenly spaced arrivals, rate of them a second (above 0). Each is computed from i, not from the one
// before, so that rounding does not add up: to the nanosecond over the first 100 days.
func Constant(rate float64) Pace {
	return func(i uint64) (time.Duration, bool) { return durationOf(float64(i) / rate) }
}

// Replay is a Pace of given arrivals, in order.
func Replay(offsets []time.Duration) Pace {
	return func(i uint64) (time.Duration, bool) {
		if i >= uint64(len(offsets)) {
			return 0, false
		}
		return offsets[i], true
	}
}

// First is the first n arrivals of a Pace.
func First(n uint64, p Pace) Pace {
	return func(i uint64) (time.Duration, bool) {
		if i >= n {
			return 0, false
		}
		return p(i)
	}
}
