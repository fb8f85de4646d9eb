package rule

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// numSlots is the number of slots of a window of Growth. With independent noise of a fifth of the rise, a line through
// 24 lows has a slope that is certain to a third. More slots would leave each slot of a 3 minutes' window with too few
// samples to have a low.
const numSlots = 24

// slots are what a signal was in stretches of equal length, the newest of which is still open. They keep a window of
// hours in a kilobyte, where the history would have to keep every sample.
//
// All tests of an engine that want the same signal in stretches of the same length share them. Of a sample the first of
// them adds the value.
type slots struct {
	width  time.Duration
	began  time.Time // of slot 0
	open   int64     // the number of the slot that is filling
	ring   []slot    // numSlots + 1 once there is a value
	step   uint64    // of the engine when the last value was added
	closed bool      // that value closed a slot
}

// A slot is what a signal was in one stretch.
type slot struct {
	low    float64
	at     float64 // when it was first at the low, in seconds since slot 0 began
	sum    float64
	number int32
	n      int32
}

// restart begins anew, unless another test has done so.
func (b *slots) restart(width time.Duration, began time.Time) {
	if b.width == width && b.began.Equal(began) {
		return
	}
	clear(b.ring)
	*b = slots{width: width, began: began, ring: b.ring}
}

// take adds the value of a step, NaN for none, and reports whether it closed a slot.
func (b *slots) take(m moment, v float64) (closed bool) {
	if b.step != m.step {
		b.step, b.closed = m.step, b.add(m.sample.Time, v)
	}
	return b.closed
}

// add takes a value, NaN for none, and reports whether it closed a slot.
func (b *slots) add(t time.Time, v float64) (closed bool) {
	number := int64(t.Sub(b.began) / b.width)
	closed = number > b.open
	b.open = max(b.open, number)
	if math.IsNaN(v) || number < b.open {
		return closed
	}
	if b.ring == nil {
		b.ring = make([]slot, numSlots+1)
	}
	s := &b.ring[number%int64(len(b.ring))]
	if s.n == 0 || int64(s.number) != number {
		*s = slot{number: int32(number), low: math.Inf(1)}
	}
	if v < s.low {
		s.low, s.at = v, t.Sub(b.began).Seconds()
	}
	s.sum, s.n = s.sum+v, s.n+1
	return closed
}

// A course is what a signal was in the closed slots of the window, with times in seconds. A low has its own time,
// because the heap after a cycle is one value in many slots, and at the middle of its slot it would be off the line by
// half a slot's growth. A mean has the middle of the slot.
type course struct {
	n             int
	times, values [numSlots]float64
}

// course reads the closed slots, oldest first: their lows, or their means.
func (b *slots) course(lows bool) (c course) {
	if b.ring == nil {
		return c
	}
	for number := max(b.open-numSlots, 0); number < b.open; number++ {
		s := &b.ring[number%int64(len(b.ring))]
		if s.n == 0 || int64(s.number) != number {
			continue
		}
		if c.times[c.n], c.values[c.n] = s.at, s.low; !lows {
			c.times[c.n], c.values[c.n] = (float64(number)+0.5)*b.width.Seconds(), s.sum/float64(s.n)
		}
		c.n++
	}
	return c
}

// maxPassing is how many values of a window may be of what passed.
const maxPassing = 2

// keep leaves out what was not kept: a single value, far above the line through all others. A page of metrics, or a
// profile, that is written while a collection marks the heap counts in that one value.
func (c *course) keep() {
	for range maxPassing {
		most, at := 1.0, -1
		for i := range c.n {
			if far := c.above(i); far > most {
				most, at = far, i
			}
		}
		if at < 0 {
			return
		}
		c.leave(at)
	}
}

func (c *course) leave(i int) {
	copy(c.times[i:c.n], c.times[i+1:c.n])
	copy(c.values[i:c.n], c.values[i+1:c.n])
	c.n--
}

// above is how far a value is above the line through the others, 1 for four times their distance from it, and a
// twentieth of the line: what collections leave has a noise of half a percent to three.
func (c *course) above(i int) float64 {
	rest := *c
	if rest.leave(i); rest.n < minFilled {
		return 0
	}
	l := vitals.FitLine(rest.times[:rest.n], rest.values[:rest.n])
	at := func(t float64) float64 { return l.Level + l.Slope*(t-rest.times[rest.n-1]) }
	squares := 0.0
	for k, t := range rest.times[:rest.n] {
		e := rest.values[k] - at(t)
		squares += e * e
	}
	line := at(c.times[i])
	return (c.values[i] - line) / max(4*math.Sqrt(squares/float64(rest.n-2)), line/20)
}

// ends are the means of the first and of the last third of the values.
func (c *course) ends() (first, last float64) {
	third := max(c.n/3, 1)
	for i := range min(third, c.n) {
		first += c.values[i] / float64(third)
		last += c.values[c.n-1-i] / float64(third)
	}
	return first, last
}

// has reports whether the signal had a value at some time.
func (b *slots) has() bool { return b.ring != nil }

// known is how long it has been known what the signal is: from the first value of the course to the end of the window.
func (b *slots) known(c *course) time.Duration {
	if c.n == 0 {
		return 0
	}
	return time.Duration((float64(b.open)*b.width.Seconds() - c.times[0]) * float64(time.Second))
}
