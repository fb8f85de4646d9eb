package load

import (
	"sync"
	"time"
)

// A recorder collects the outcomes of a run. Its clock is the offset from the start of the run.
type recorder struct {
	start   time.Time
	highest time.Duration // of the histograms

	mu          sync.Mutex // guards all below
	total       Counts
	window      Counts
	windowAt    time.Duration // when the current window began
	windows     int           // windows closed
	inFlight    int
	abandoned   uint64
	lag         Latency
	firstErrors map[string]string
}

func newRecorder(start time.Time, timeout time.Duration) *recorder {
	// An answer comes at most Timeout after the request left; the rest is for lateness in leaving.
	highest := 2*timeout + time.Minute
	return &recorder{
		start:       start,
		highest:     highest,
		total:       Counts{Start: start, Latency: newLatency(highest)},
		window:      Counts{Start: start, Latency: newLatency(highest)},
		lag:         newLatency(highest),
		firstErrors: make(map[string]string),
	}
}

// sent records a request that leaves now, late after its intended start.
func (r *recorder) sent(late time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight++
	r.total.Sent++
	r.window.Sent++
	r.lag.record(late)
}

// shed records an arrival that was not sent.
func (r *recorder) shed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(classShed, "MaxInFlight requests were waiting for an answer")
}

// done records how a request that was sent ended.
func (r *recorder) done(o outcome, latency time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	if o.class.answered() {
		r.total.Latency.record(latency)
		r.window.Latency.record(latency)
	}
	r.count(o.class, o.text)
}

// count adds one outcome. The caller holds mu.
func (r *recorder) count(c class, text string) {
	switch c {
	case classOK:
		r.total.OK++
		r.window.OK++
	case classAbandoned:
		r.abandoned++
	default:
		*r.total.Errors.counter(c)++
		*r.window.Errors.counter(c)++
		if _, seen := r.firstErrors[string(c)]; !seen {
			r.firstErrors[string(c)] = text
		}
	}
}

// closeWindow ends the current window at an offset and begins the next.
func (r *recorder) closeWindow(at time.Duration) Window {
	next := newLatency(r.highest)
	r.mu.Lock()
	defer r.mu.Unlock()
	w := Window{Index: r.windows, Counts: r.window, InFlight: r.inFlight}
	w.Seconds = max(at-r.windowAt, 0).Seconds()
	r.window = Counts{Start: r.start.Add(at), Latency: next}
	r.windowAt = at
	r.windows++
	return w
}

// result is the whole run, which sent until an offset. The recorder is not used after it.
func (r *recorder) result(sentUntil time.Duration) Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := Result{Counts: r.total, Lag: r.lag, Abandoned: r.abandoned, FirstErrors: r.firstErrors}
	res.Seconds = sentUntil.Seconds()
	res.Limited = limited(&res)
	return res
}
