package batch

import "time"

// A lateness learns how late timers fire, so that a delay can still be kept: it settles where 1 timer in 100 is later.
// That is a stochastic approximation of the 99th percentile (Robbins and Monro, 1951): one step up for a timer that is
// later, 1/99 of a step down for one that is not.
type lateness struct {
	maxDelay time.Duration
	p99      time.Duration // never more than 3/4 of maxDelay, so that a batch has some time to gather
}

// latenessSteps is how many steps make a maxDelay: with 16, it takes a few timers to learn that a machine got busy.
const latenessSteps = 16

// fired records how late a timer was.
func (l *lateness) fired(late time.Duration) {
	step := l.maxDelay / latenessSteps
	if late > l.p99 {
		l.p99 = min(l.p99+step, l.maxDelay*3/4)
	} else {
		l.p99 = max(l.p99-step/99, 0)
	}
}

// due is what to set a timer to, so that what came at that time does not wait longer than maxDelay.
func (l *lateness) due(came time.Time) time.Time { return came.Add(l.maxDelay - l.p99) }
