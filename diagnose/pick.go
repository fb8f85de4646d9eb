package diagnose

import (
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// tripLag is how long before a rule trips its trouble may have ended: a sample covers the interval before it.
const tripLag = time.Second

// promote turns evidence that was recorded until the trip, and contains the trouble itself, into evidence of the
// trouble: a spike of 200 ms is over when its rule trips, and no profile that begins then contains it.
func promote(r *Reading, tripped time.Time) {
	if tripped.IsZero() {
		return
	}
	for i := range r.Sets {
		s := &r.Sets[i]
		ended := s.Taken.Add(time.Duration(s.Seconds * float64(time.Second)))
		if s.Phase == casefile.Before && s.Seconds > 0 && !ended.Before(tripped.Add(-tripLag)) {
			s.Phase = casefile.During
		}
	}
}
