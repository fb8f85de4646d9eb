package view

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// Mean is the mean of a signal, in its own unit, over all vitals; ok is false if no sample has it.
func (v *View) Mean(id vitals.ID) (mean float64, ok bool) {
	n := 0
	for i := range v.Vitals {
		if x, present := v.Vitals[i].Get(id); present {
			mean += x
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return mean / float64(n), true
}

// MeanDuring is the mean of a signal, in its own unit, over the vitals while a set was taken, and the number of
// samples. A set that covers no time has none.
func (v *View) MeanDuring(id vitals.ID, s *stacks.Set) (mean float64, n int) {
	for i := range v.Vitals {
		t := v.Vitals[i].Time
		if t.Before(s.Taken) || t.Sub(s.Taken).Seconds() > s.Seconds {
			continue
		}
		if x, ok := v.Vitals[i].Get(id); ok {
			mean += x
			n++
		}
	}
	return mean / max(float64(n), 1), n
}

// Nearby is how far vitals are from a set at most that say something about it.
const Nearby = 30 * time.Second

// MeanNear is the mean of a signal, in its own unit, over the vitals within half a minute of when a set was taken, and
// the number of samples.
func (v *View) MeanNear(id vitals.ID, s *stacks.Set) (mean float64, n int) {
	for i := range v.Vitals {
		if d := v.Vitals[i].Time.Sub(s.Taken).Abs(); d > Nearby {
			continue
		}
		if x, ok := v.Vitals[i].Get(id); ok {
			mean += x
			n++
		}
	}
	return mean / max(float64(n), 1), n
}

// Bounds of what is said of one time.
const (
	oldest = 2 * time.Minute // before it: gc_cpu and heap_live move only when a cycle ends
	late   = time.Second     // after it: a sample's values have its time, within a tick
	past   = 8               // samples before it, from which on the first quarter is a level
)

// ValueAt is the last value of a signal that the vitals have at a time; nil if they have none of the two minutes
// before.
func (v *View) ValueAt(id vitals.ID, at time.Time) *float64 {
	for _, s := range slices.Backward(v.Vitals) {
		if s.Time.After(at.Add(late)) || s.Time.Before(at.Add(-oldest)) {
			continue
		}
		if x, ok := s.Get(id); ok {
			return &x
		}
	}
	return nil
}

// Earlier is the median of a signal in the first quarter of the samples before a time; nil if they are few.
func (v *View) Earlier(id vitals.ID, at time.Time) *float64 {
	var values []float64
	for i := range v.Vitals {
		if x, ok := v.Vitals[i].Get(id); ok && v.Vitals[i].Time.Before(at) {
			values = append(values, x)
		}
	}
	if len(values) < past {
		return nil
	}
	first := values[:len(values)/4]
	slices.Sort(first)
	return &first[len(first)/2]
}

// TroubleAt is when the first rule tripped, otherwise the time of the last sample of the vitals: what was captured by
// hand, or is a folder of profiles, has no trip. It is zero without either.
func (v *View) TroubleAt() time.Time {
	for _, t := range v.Triggers {
		if t.Signal != "" && !t.Time.IsZero() {
			return t.Time
		}
	}
	if n := len(v.Vitals); n > 0 {
		return v.Vitals[n-1].Time
	}
	return time.Time{}
}
