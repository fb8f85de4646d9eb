package hedge

import (
	"sync"
	"time"
)

// An alarm notifies the calls of a kind when they are late. They wait in the order in which they began, which is the
// order in which they become late, so one timer is enough: it is set for the oldest call, and left alone when that call
// returns in time. A timer for each call would have to be set and stopped each time, and the runtime wakes an idle
// processor for each that it sets. That takes a few microseconds in total, which would be most of what hedging costs a
// call that is never hedged.
//
// When the delay has just fallen, a call behind older ones may be notified up to the old delay after it is late.
type alarm struct {
	epoch time.Time // what due is counted from

	mu         sync.Mutex // guards what follows, and the links of those that wait; no other lock is taken under it
	head, tail *waiting
	timer      *time.Timer
	set        bool
}

// A waiting is the place of a call in the line.
type waiting struct {
	prev, next *waiting
	inLine     bool
	due        time.Duration
	call       interface{ late() }
}

// add puts a call at the end of the line.
func (a *alarm) add(w *waiting, now time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.inLine, w.prev = true, a.tail
	if a.tail == nil {
		a.head = w
	} else {
		a.tail.next = w
	}
	a.tail = w
	if a.set {
		return
	}
	a.set = true
	if a.timer == nil {
		a.timer = time.AfterFunc(w.due-now, a.ring)
		return
	}
	a.timer.Reset(w.due - now)
}

// remove takes out a call that has returned, unless it was late and is out already. The timer stays as it is.
func (a *alarm) remove(w *waiting) (inTime bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	inTime = w.inLine
	a.unlink(w)
	return inTime
}

func (a *alarm) unlink(w *waiting) {
	if !w.inLine {
		return
	}
	if w.prev == nil {
		a.head = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		a.tail = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.inLine = nil, nil, false
}

// ring notifies all calls that are late, and sets the timer for the next, if there is one.
func (a *alarm) ring() {
	for w := a.overdue(); w != nil; w = a.overdue() {
		w.call.late()
	}
}

// overdue takes the oldest call out of the line if it is late. If it is not, the timer is set for it.
func (a *alarm) overdue() *waiting {
	a.mu.Lock()
	defer a.mu.Unlock()
	w := a.head
	if w == nil {
		a.set = false
		return nil
	}
	if left := w.due - time.Since(a.epoch); left > 0 {
		a.timer.Reset(left)
		return nil
	}
	a.unlink(w)
	return w
}
