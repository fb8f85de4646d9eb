package vitals

import (
	"math"
	"time"
)

// A Sample is every signal at one moment. The zero Sample has every signal at zero; NewSample's are absent.
type Sample struct {
	Time   time.Time
	Values [NumSignals]float64 // NaN where absent
}

// NewSample returns a sample in which every signal is absent.
func NewSample(t time.Time) Sample {
	s := Sample{Time: t}
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	return s
}

// Get returns a signal's value and whether it is present.
func (s *Sample) Get(id ID) (float64, bool) {
	v := s.Values[id]
	return v, !math.IsNaN(v)
}

// Set records a signal's value. Infinities are recorded as absent: they come from a division by nothing.
func (s *Sample) Set(id ID, v float64) {
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	s.Values[id] = v
}
