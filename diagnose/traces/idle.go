package traces

import "time"

// Facts of a summary about goroutines that rest.

// IdleIn is where the goroutines that begin in a function wait for the longest, how many there are, and for what part of
// the trace they do.
func (s *Summary) IdleIn(began string) (rest Wait, of int64, share float64) {
	for _, w := range s.Blocking {
		if w.Stack.BeganIn(began) && w.Times.Total+w.Open > rest.Times.Total+rest.Open {
			rest = w
		}
	}
	for _, t := range s.Goroutines {
		if t.Name == began {
			of = t.Alive
		}
	}
	return rest, of, (rest.Times.Total + rest.Open).Seconds() / s.Span.Seconds() / float64(max(of, 1))
}

// BeganIn reports whether a goroutine's outermost function is this one.
func (s Stack) BeganIn(function string) bool {
	return len(s) > 0 && s[len(s)-1].Function == function
}

// TimedMean is how long those waits were on average that a timer ended; 0 of none.
func (w Wait) TimedMean() time.Duration {
	for _, by := range w.Wakers {
		if len(by.Stack) == 0 && by.Count >= 3 {
			return by.Waited / time.Duration(by.Count)
		}
	}
	return 0
}
