package fleet

import (
	"math"
	"time"
)

// CourseMinutes is how much of the past a course has.
const CourseMinutes = 60

// A course is the mean of a signal in each of the last minutes: what a small picture needs, in 500 bytes a target.
type course struct {
	minute int64                  // of the last value, since 1970
	n      int                    // values of that minute
	means  [CourseMinutes]float64 // by minute; NaN where nothing was sampled
}

func (c *course) add(at time.Time, value float64) {
	minute := at.Unix() / 60
	if minute < c.minute && minute > c.minute-CourseMinutes { // the clock was set back a little
		minute = c.minute
	}
	if minute != c.minute {
		c.clear(minute)
	}
	mean := &c.means[minute%CourseMinutes]
	if c.n++; c.n == 1 {
		*mean = value
		return
	}
	*mean += (value - *mean) / float64(c.n)
}

// clear empties the minutes from the last value to this one.
func (c *course) clear(minute int64) {
	from := c.minute + 1
	if minute < from || minute-from >= CourseMinutes {
		from = minute - CourseMinutes + 1
	}
	for m := from; m <= minute; m++ {
		c.means[m%CourseMinutes] = math.NaN()
	}
	c.minute, c.n = minute, 0
}

// addTo adds the minutes until now, the oldest first, to a sum of which NaN is none yet.
func (c *course) addTo(sum *[CourseMinutes]float64, now time.Time) {
	last := now.Unix() / 60
	for i := range sum {
		minute := last - CourseMinutes + 1 + int64(i)
		if minute > c.minute || minute <= c.minute-CourseMinutes {
			continue
		}
		value := c.means[minute%CourseMinutes]
		switch {
		case math.IsNaN(value):
		case math.IsNaN(sum[i]):
			sum[i] = value
		default:
			sum[i] += value
		}
	}
}

// CPU is what the targets of each service used in each of the last minutes, in cores, the oldest first; NaN where none
// was sampled. It has no service of which nothing is known.
func (f *Fleet) CPU(now time.Time) map[string][CourseMinutes]float64 {
	f.mu.Lock()
	members := make([]*member, 0, len(f.members))
	for _, m := range f.members {
		members = append(members, m)
	}
	f.mu.Unlock()
	all := make(map[string][CourseMinutes]float64)
	for _, m := range members {
		m.mu.Lock()
		if m.cpu.n > 0 {
			sum, known := all[m.about.Service]
			if !known {
				for i := range sum {
					sum[i] = math.NaN()
				}
			}
			m.cpu.addTo(&sum, now)
			all[m.about.Service] = sum
		}
		m.mu.Unlock()
	}
	return all
}
