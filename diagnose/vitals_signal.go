package diagnose

import (
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A signal is one of the vitals, where they have it.
type signal struct {
	times  []time.Time
	values []float64
}

func signalOf(r *Reading, id vitals.ID) (s signal) {
	for i := range r.Vitals {
		if v, ok := r.Vitals[i].Get(id); ok {
			s.times, s.values = append(s.times, r.Vitals[i].Time), append(s.values, v)
		}
	}
	return s
}

// until is what of it was read by a time.
func (s signal) until(end time.Time) signal {
	n := len(s.times)
	for n > 0 && s.times[n-1].After(end) {
		n--
	}
	return signal{s.times[:n], s.values[:n]}
}

// last is the latest value; 0 without any.
func (s signal) last() float64 {
	if len(s.values) == 0 {
		return 0
	}
	return s.values[len(s.values)-1]
}

// span is the time between the first and the last value, and rise by how much they differ; there must be one.
func (s signal) span() time.Duration { return s.times[len(s.times)-1].Sub(s.times[0]) }
func (s signal) rise() float64       { return s.last() - s.values[0] }

// goesOn reports whether it rises in the second half by half as much as in the first, or more: what fills up to a level
// slows down.
func (s signal) goesOn() bool {
	n := len(s.values)
	if n < 3 {
		return false
	}
	early, late := s.values[n/2]-s.values[0], s.last()-s.values[n/2]
	return early > 0 && late >= early/2
}

// halfway is the value at the middle of the time, on the line between the two nearest ones; there must be two.
func (s signal) halfway() float64 {
	middle := s.times[0].Add(s.span() / 2)
	i := 1
	for s.times[i].Before(middle) {
		i++
	}
	part := float64(middle.Sub(s.times[i-1])) / float64(s.times[i].Sub(s.times[i-1]))
	return s.values[i-1] + part*(s.values[i]-s.values[i-1])
}

// lastOf is the latest value of a signal.
func lastOf(r *Reading, id vitals.ID) (float64, bool) {
	s := signalOf(r, id)
	return s.last(), len(s.values) > 0
}
