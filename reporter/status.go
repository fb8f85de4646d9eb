package reporter

import (
	"fmt"
	"time"
)

// A Status is what became of one reporter's reports since the Queue was made.
type Status struct {
	Name    string `json:"name"`
	Sent    int    `json:"sent"`
	Failed  int    `json:"failed"`  // given up, or refused for good
	Retried int    `json:"retried"` // failures after which another try was planned
	Dropped int    `json:"dropped"` // unsent, because the queue or the spool was full
	Pending int    `json:"pending"` // not yet sent, with what waits in a spool

	LastError   string    `json:"last_error,omitempty"` // it stays when a later report arrives
	LastErrorAt time.Time `json:"last_error_at,omitzero"`
	LastSent    time.Time `json:"last_sent,omitzero"`
	BusySince   time.Time `json:"busy_since,omitzero"` // when the current call began; zero between calls
}

// Status tells of every reporter, in the order given to NewQueue.
func (q *Queue) Status() []Status {
	all := make([]Status, len(q.workers))
	for i, w := range q.workers {
		all[i] = w.state()
	}
	return all
}

func (w *worker) state() Status {
	var kept tally
	if w.r.outbox != nil {
		kept = w.r.outbox.tally()
	}
	busy := earliest(w.sending.since(), w.delivering.since())
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Dropped += kept.dropped
	s.Pending = len(w.queued) + kept.waiting
	if w.holding {
		s.Pending++
	}
	s.BusySince = busy
	return s
}

// earliest of two times, of which zero ones do not count.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (w *worker) sent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.Sent++
	w.status.LastSent = time.Now()
}

func (w *worker) failed(err error, why string) {
	w.note(err, func(s *Status) { s.Failed++ })
	w.log.error(why, "reporter", w.r.Name, "err", err)
}

func (w *worker) retrying(err error, pause time.Duration) {
	w.note(err, func(s *Status) { s.Retried++ })
	w.log.warn("a report failed and will be tried again", "reporter", w.r.Name, "err", err, "pause",
		pause.Round(time.Millisecond))
}

// late says that a call runs longer than its timeout.
func (w *worker) late() {
	err := fmt.Errorf("it ignores its timeout of %s and continues; its queue waits for it", w.r.Timeout)
	w.note(err, func(*Status) {})
	w.log.warn("a reporter does not end", "reporter", w.r.Name, "err", err)
}

func (w *worker) note(err error, count func(*Status)) {
	text := plain(err.Error(), maxPath)
	w.mu.Lock()
	defer w.mu.Unlock()
	count(&w.status)
	w.status.LastError, w.status.LastErrorAt = text, time.Now()
}
