package vitals

import (
	"math"
	"time"
)

// A Sample is every signal at one moment, the extra ones of its Catalog included. It is an array, so that a copy is a
// plain assignment and a tick costs no allocation. The zero Sample has every signal at zero; NewSample's are absent.
type Sample struct {
	Time   time.Time
	Values [NumSignals + MaxExtra]float64 // by ID; NaN where absent
}

// NewSample returns a sample in which every signal is absent.
func NewSample(t time.Time) Sample {
	s := Sample{Time: t}
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	return s
}

// Get returns a signal's value and whether it is present. An ID beyond all signals is that of an absent one.
func (s *Sample) Get(id ID) (float64, bool) {
	if uint(id) >= uint(len(s.Values)) {
		return math.NaN(), false
	}
	v := s.Values[id]
	return v, !math.IsNaN(v)
}

// Set records a signal's value; an ID beyond all signals has none. Infinities are recorded as absent: they come from a division by nothing.
func (s *Sample) Set(id ID, v float64) {
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	if uint(id) < uint(len(s.Values)) {
		s.Values[id] = v
	}
}
