package rule

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A slope is the growth of a signal in the last window.
type slope struct {
	level    float64 // now, by the line, in the signal's unit; so are the others, per second
	likely   float64
	slowest  float64 // the confidence bound nearer to zero, minus what load explains
	explains float64 // of the slope
	by       int     // the index in Beyond of the signal that explains it
	flat     float64 // q: the slope of the second half over that of the first, up to 1
	bent     bool    // the second half is so much steeper that the growth has begun within the window
	rushed   bool    // it grows faster than MaxSlope
	stopped  bool    // the last values no longer rise
	fills    bool    // it may be what Filling excludes
	span     time.Duration
	filled   int
}

// slopeOf fits the line, and one to each half.
func slopeOf(c *course) slope {
	s := slope{filled: c.n, flat: 1}
	l := vitals.FitLine(c.times[:c.n], c.values[:c.n])
	s.level, s.likely, s.span = l.Level, l.Slope, l.Span
	s.slowest, _ = l.SlopeBounds()
	if c.n < minFilled {
		return s
	}
	middle := (c.times[0] + c.times[c.n-1]) / 2
	half := 0
	for half < c.n && c.times[half] < middle {
		half++
	}
	first, second := steepness(c, 0, half), steepness(c, half, c.n)
	s.bent = second > maxBend*first
	// The slope of a part is less certain than that of the whole, by the share of values to the power of 1.5. A curve
	// that may have flattened counts as flattened: the first half is taken with that error, the second without.
	// Otherwise the noise of few values straightens a cache that fills.
	if low := first + l.StdErr*math.Pow(float64(c.n)/float64(half), 1.5); low > 0 {
		s.flat = min(max(second/low, 0), 1)
	}
	// The last third shows earlier that something has stopped. Its middle is two thirds of a half after that of the
	// whole.
	third := max(c.n/3, 2)
	if last := steepness(c, c.n-third, c.n); l.Slope > 0 {
		s.flat = min(s.flat, math.Pow(max(last/l.Slope, 0), 1.5))
	}
	rise := c.values[c.n-1] - c.values[c.n-1-endSteps]
	s.stopped = rise < l.Slope*(c.times[c.n-1]-c.times[c.n-1-endSteps])/3
	return s
}

// steepness is the slope of the values from a to b. Of a single one it is that from the one before it.
func steepness(c *course, a, b int) float64 {
	if b-a < 2 {
		a = max(b-2, 0)
		b = a + 2
	}
	var n, st, sv, stt, stv float64
	for i := a; i < b; i++ {
		t, v := c.times[i]-c.times[a], c.values[i]-c.values[a]
		n, st, sv, stt, stv = n+1, st+t, sv+v, stt+t*t, stv+t*v
	}
	return (stv - st*sv/n) / (stt - st*st/n)
}

// straighter reports whether the values are certain, at 99 %, to bend less than what fills up: at its middle the curve
// of 1−exp(−t/τ) with a slope of s has a second derivative of −s/τ. It fits a parabola, by polynomials that are
// orthogonal over the values' times, and takes the residuals as independent. What has begun to fill within the window
// is as straight as a line, with a flat beginning: the first third has to rise, too.
func (c *course) straighter(tau time.Duration) bool {
	n := float64(c.n)
	if c.n < minFilled+1 {
		return false
	}
	var mean, squares, cubes float64 // of the times
	for _, t := range c.times[:c.n] {
		mean += t / n
	}
	for _, t := range c.times[:c.n] {
		u := t - mean
		squares, cubes = squares+u*u, cubes+u*u*u
	}
	var level, slope, bend, norm float64
	parabola := func(t float64) float64 { u := t - mean; return u*u - cubes/squares*u - squares/n }
	for i, t := range c.times[:c.n] {
		v, p := c.values[i]-c.values[0], parabola(t)
		level, slope, bend, norm = level+v/n, slope+v*(t-mean)/squares, bend+v*p, norm+p*p
	}
	bend /= norm
	left := 0.0
	for i, t := range c.times[:c.n] {
		e := c.values[i] - c.values[0] - level - slope*(t-mean) - bend*parabola(t)
		left += e * e
	}
	l := vitals.Line{N: c.n, Slope: bend, StdErr: math.Sqrt(left / (n - 3) / norm), Freedom: n - 3}
	low, _ := l.SlopeBounds()
	return 2*low > -slope/tau.Seconds() && steepness(c, 0, max(c.n/3, 2)) > slope/2
}

// lasts reports whether a slope is certain, and that of the whole window.
func (s *slope) lasts() bool { return s.slowest > 0 && !s.rushed && !s.bent && !s.stopped && !s.fills }

// gain is by how much the signal grows at least in a time. half is half of the window: the slope of the line is that of
// its middle, and falls by flat each half.
func (s *slope) gain(half, within time.Duration) float64 {
	halves := within.Seconds() / half.Seconds()
	switch {
	case s.flat >= 1:
		return s.slowest * within.Seconds()
	case s.flat <= 0:
		return 0
	}
	return s.slowest * s.flat * half.Seconds() * (1 - math.Pow(s.flat, halves)) / -math.Log(s.flat)
}
