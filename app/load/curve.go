package load

import (
	"math"
	"sort"
	"time"
)

// A curve is an arrival rate over time, as its inverse: when the arrivals reach a number. All times are seconds.
type curve struct {
	length float64 // +Inf when it goes on forever
	count  float64 // arrivals in its length
	// at is the time at which n arrivals are due, for 0 ≤ n < count.
	at func(n float64) float64
}

// constantCurve has rate arrivals a second.
func constantCurve(rate, length float64) curve {
	count := rate * length
	if rate == 0 {
		count = 0 // of an infinite length too
	}
	return curve{length, count, func(n float64) float64 { return n / rate }}
}

// rampCurve goes from one rate to another in a straight line. The arrivals until t are from·t + slope·t²/2; the root is
// written so that it loses no digits when the slope is small.
func rampCurve(from, to, length float64) curve {
	slope := (to - from) / length
	return curve{length, (from + to) / 2 * length, func(n float64) float64 {
		if n == 0 {
			return 0
		}
		return 2 * n / (from + math.Sqrt(max(from*from+2*slope*n, 0)))
	}}
}

// sineCurve swings between two rates, from the middle upwards. The arrivals until t are mean·t + swing·(1 − cos ωt)/ω.
func sineCurve(low, high, period, length float64) curve {
	mean, swing, omega := (low+high)/2, (high-low)/2, 2*math.Pi/period
	until := func(t float64) float64 { return mean*t + swing*(1-math.Cos(omega*t))/omega }
	count := math.Inf(1)
	if !math.IsInf(length, 1) { // of which there is no cosine
		count = until(length)
	}
	return curve{length, count, func(n float64) float64 {
		whole := math.Floor(n / (mean * period)) // a whole period has the mean's arrivals
		rest := n - whole*mean*period
		a, b := 0.0, period
		for range 52 { // to the last bit of a float64
			if mid := (a + b) / 2; until(mid) < rest {
				a = mid
			} else {
				b = mid
			}
		}
		return whole*period + b
	}}
}

// join returns curves one after another as one.
func join(curves []curve) curve {
	starts := make([]float64, len(curves)) // times
	ends := make([]float64, len(curves))   // arrivals until the end of each
	t, n := 0.0, 0.0
	for i, c := range curves {
		starts[i] = t
		t += c.length
		n += c.count
		ends[i] = n
	}
	return curve{t, n, func(n float64) float64 {
		k := sort.SearchFloat64s(ends, math.Nextafter(n, math.Inf(1))) // the first that ends above n
		if k == len(curves) {
			return math.Inf(1)
		}
		before := 0.0
		if k > 0 {
			before = ends[k-1]
		}
		return starts[k] + min(curves[k].at(n-before), curves[k].length)
	}}
}

// even returns a Pace of the whole numbers of a curve's arrivals, and how many there are; the most there can be where
// it has no end.
func (c curve) even() (Pace, uint64) {
	pace := func(i uint64) (time.Duration, bool) { return c.offset(float64(i)) }
	if !(c.count < math.MaxInt64) {
		return pace, math.MaxUint64
	}
	return pace, uint64(math.Ceil(c.count))
}

// random returns a Pace of a Poisson process whose rate is the curve's, and how many arrivals it has. Its arrivals are
// those of a process of rate 1, at the moments at which the curve reaches them (Çinlar 1975, Introduction to Stochastic
// Processes, 4.7).
func (c curve) random(seed uint64) (Pace, uint64) {
	u := newUnitProcess(seed)
	pace := func(i uint64) (time.Duration, bool) { return c.offset(u.at(i)) }
	if !(c.count < math.MaxInt64) {
		return pace, math.MaxUint64
	}
	return pace, u.before(c.count)
}

// offset returns the time at which n arrivals are due.
func (c curve) offset(n float64) (time.Duration, bool) {
	if n >= c.count {
		return 0, false
	}
	return durationOf(c.at(n))
}

// durationOf returns seconds as a Duration, cut to nanoseconds, and false when it holds no such time.
func durationOf(seconds float64) (time.Duration, bool) {
	ns := seconds * float64(time.Second)
	if !(ns < math.MaxInt64) {
		return 0, false
	}
	return time.Duration(ns), true
}
