package rule

import (
	"math"
	"time"
)

// numSlots is into how many slots a window of Growth is cut. A line through 24 lows with independent noise has a slope
// certain to a third where the noise is a fifth of the rise; more slots would leave each of a 3 minutes' window with too
// few samples to have a low.
const numSlots = 24

// slots are what a signal was in stretches of equal length, the newest of which is still open. They hold a window of hours
// in a kilobyte, where the history would have to hold every sample.
type slots struct {
	width time.Duration
	began time.Time // of slot 0
	open  int64     // the number of the slot that is filling
	ring  [numSlots + 1]slot
}

// A slot is what a signal was in one stretch.
type slot struct {
	number int64
	low    float64
	sum    float64
	n      int
}

func (b *slots) reset(width time.Duration, began time.Time) { *b = slots{width: width, began: began} }

// add takes a value, NaN for none, and reports whether a slot was closed by it.
func (b *slots) add(t time.Time, v float64) (closed bool) {
	number := int64(t.Sub(b.began) / b.width)
	closed = number > b.open
	b.open = max(b.open, number)
	if math.IsNaN(v) || number < b.open {
		return closed
	}
	s := &b.ring[number%int64(len(b.ring))]
	if s.n == 0 || s.number != number {
		*s = slot{number: number, low: v}
	}
	s.low, s.sum, s.n = math.Min(s.low, v), s.sum+v, s.n+1
	return closed
}

// A course is what a signal was in the closed slots of the window: at the middle of each that has a value, in seconds.
type course struct {
	n             int
	times, values [numSlots]float64
}

// course reads the closed slots, oldest first: their lows, or their means.
func (b *slots) course(lows bool) (c course) {
	for number := max(b.open-numSlots, 0); number < b.open; number++ {
		s := &b.ring[number%int64(len(b.ring))]
		if s.n == 0 || s.number != number {
			continue
		}
		c.times[c.n] = (float64(number) + 0.5) * b.width.Seconds()
		if c.values[c.n] = s.low; !lows {
			c.values[c.n] = s.sum / float64(s.n)
		}
		c.n++
	}
	return c
}

// known is how long it has been known what the signal is: from the first value of the course to the end of the window.
func (b *slots) known(c *course) time.Duration {
	if c.n == 0 {
		return 0
	}
	return time.Duration((float64(b.open)*b.width.Seconds() - c.times[0]) * float64(time.Second))
}
