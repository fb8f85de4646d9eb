package vitals

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/internal/number"
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

// Beyond greatest no signal has a value, and below least there is nothing: a target that says 1e308 must not make
// infinities of the means and products of its vitals.
const (
	greatest = 1e100
	least    = 1e-100
)

// Set records a signal's value; an ID beyond all signals has none. Infinities are recorded as absent, as they come from
// a division by nothing, and so is what is beyond 1e100; what is nearer to 0 than 1e-100 is 0.
func (s *Sample) Set(id ID, v float64) {
	switch size := math.Abs(v); {
	case size > greatest:
		v = math.NaN()
	case size < least:
		v = 0
	}
	if uint(id) < uint(len(s.Values)) {
		s.Values[id] = v
	}
}

// Format prints a value of the unit for people, with three significant digits at most: "31.2 %", "1.34 GiB", "2.1 ms",
// "1,204". NaN is "–". The unit of another program stands behind the number as it is.
func (u Unit) Format(v float64) string {
	if math.IsNaN(v) {
		return number.Absent
	}
	switch u {
	case Share:
		return number.Share(v)
	case Bytes:
		return number.Bytes(v)
	case BytesPerSecond:
		return number.Bytes(v) + "/s"
	case Seconds:
		return number.Seconds(v)
	case Cores:
		return number.Cores(v)
	case PerSecond:
		return number.Rate(v)
	case Count, "":
		return number.Count(v)
	}
	return number.Count(v) + " " + string(u)
}
