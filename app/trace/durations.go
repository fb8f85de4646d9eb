package trace

import (
	"math/bits"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// durations is a histogram of nanoseconds with 32 buckets an octave, so that a quantile is wrong by at most 1.6 %. An
// octave takes memory when it is first used: most sites have few.
type durations struct {
	count, total int64
	min, max     int64
	octaves      [octaves]*[perOctave]uint32
}

const (
	perOctave = 32
	subBits   = 5
	octaves   = 42 // the last begins at 2^45 ns, ten hours
)

func (d *durations) add(ns int64) {
	ns = max(ns, 0)
	if d.count == 0 || ns < d.min {
		d.min = ns
	}
	d.max = max(d.max, ns)
	d.count++
	d.total += ns
	o, i := bucketOf(uint64(ns))
	if d.octaves[o] == nil {
		d.octaves[o] = new([perOctave]uint32)
	}
	d.octaves[o][i]++
}

// plus adds the durations of another histogram.
func (d *durations) plus(e *durations) {
	if e.count == 0 {
		return
	}
	if d.count == 0 || e.min < d.min {
		d.min = e.min
	}
	d.max = max(d.max, e.max)
	d.count += e.count
	d.total += e.total
	for o, octave := range e.octaves {
		if octave == nil {
			continue
		}
		if d.octaves[o] == nil {
			d.octaves[o] = new([perOctave]uint32)
		}
		for i, n := range octave {
			d.octaves[o][i] += n
		}
	}
}

// bucketOf is the bucket of a number: the octave is that of its highest bit, below 32 each number has its own.
func bucketOf(ns uint64) (octave, i int) {
	if ns < perOctave {
		return 0, int(ns)
	}
	octave = bits.Len64(ns) - subBits
	if octave >= octaves {
		return octaves - 1, perOctave - 1
	}
	return octave, int(ns>>(octave-1)) - perOctave
}

// middle is the middle of a bucket.
func middle(octave, i int) int64 {
	if octave == 0 {
		return int64(i)
	}
	width := int64(1) << (octave - 1)
	return (int64(i)+perOctave)*width + width/2
}

func (d *durations) quantile(q float64) int64 {
	left := int64(q * float64(d.count))
	for o, octave := range d.octaves {
		if octave == nil {
			continue
		}
		for i, n := range octave {
			if left -= int64(n); left < 0 {
				return min(max(middle(o, i), d.min), d.max)
			}
		}
	}
	return d.max
}

func (d *durations) times() traces.Times {
	if d == nil || d.count == 0 {
		return traces.Times{}
	}
	return traces.Times{Count: d.count, Total: time.Duration(d.total), Min: time.Duration(d.min),
		P50: time.Duration(d.quantile(0.5)), P95: time.Duration(d.quantile(0.95)),
		P99: time.Duration(d.quantile(0.99)), Max: time.Duration(d.max)}
}
