package rule

import (
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// shared is what the tests of an engine remember together: a dozen tests want what load was in stretches of a few
// lengths, and a watch may have a thousand engines. It is used while an engine is made.
type shared struct {
	ofSlots map[stretches]*slots
	ofPast  map[stretches]*past
}

// stretches are those of a signal.
type stretches struct {
	id     vitals.ID
	length time.Duration
}

// slots are those of a signal in stretches of a length.
func (s *shared) slots(id vitals.ID, width time.Duration) *slots {
	key := stretches{id, width}
	if s.ofSlots[key] == nil {
		s.ofSlots[key] = new(slots)
	}
	return s.ofSlots[key]
}

// past is that of a signal whose first values are those of some time.
func (s *shared) past(id vitals.ID, first time.Duration) *past {
	key := stretches{id, first}
	if s.ofPast[key] == nil {
		s.ofPast[key] = new(past)
	}
	return s.ofPast[key]
}
