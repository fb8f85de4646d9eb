package reporter

import (
	"errors"
	"sync"
)

// A worker is one reporter's queue and what sends from it.
type worker struct {
	r    Reporter // with defaults filled in
	size int
	log  logger

	arrived    chan struct{} // holds one: something was put
	kept       chan struct{} // holds one: something was kept for delivery
	sending    lane
	delivering lane // of an outbox

	mu      sync.Mutex // guards what follows; a leaf
	queued  []delivery // oldest first
	holding bool       // a report was taken from queued and is not settled
	unsaid  int        // drops that are not logged yet
	status  Status
}

// A delivery is a report and the function that gets its outcome.
type delivery struct {
	Report
	settled func(reporter string, err error) // nil for nobody
}

func newWorker(r Reporter, size int, log logger) *worker {
	r.Retry = r.Retry.withDefaults()
	if r.Timeout == 0 {
		r.Timeout = DefaultTimeout
	}
	return &worker{
		r: r, size: size, log: log, arrived: make(chan struct{}, 1), kept: make(chan struct{}, 1),
		status: Status{Name: r.Name},
	}
}

// put never waits: the lock is held for a moment only, never over a call or a log line.
func (w *worker) put(r delivery) {
	var dropped delivery
	w.mu.Lock()
	if len(w.queued) == w.size {
		dropped, w.queued[0] = w.queued[0], delivery{} // let go of it
		w.queued = w.queued[1:]
		w.status.Dropped++
		w.unsaid++
	}
	w.queued = append(w.queued, r)
	w.mu.Unlock()
	w.settle(dropped, errDropped)
	wake(w.arrived)
}

var errDropped = errors.New("it made room for newer reports: the queue was full")

// settle tells who asked what became of a report.
func (w *worker) settle(r delivery, err error) {
	if r.settled != nil {
		r.settled(w.r.Name, err)
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is awake already
	}
}

// next takes the oldest report, and says how many were dropped since the last one.
func (w *worker) next() (r delivery, dropped int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queued) == 0 {
		return delivery{}, 0, false
	}
	r = w.queued[0]
	w.queued[0] = delivery{}
	w.queued, w.holding = w.queued[1:], true
	dropped, w.unsaid = w.unsaid, 0
	return r, dropped, true
}

func (w *worker) settled() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holding = false
}
