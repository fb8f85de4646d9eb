package load

import (
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/number"
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
	ended       string // why the run should end, when errors passed their limit

	onDone    func(at, latency time.Duration, c Class) // not guarded: constants
	maxErrors uint64                                   //
	maxShare  float64                                  //
	enough    chan struct{}                            // closed when ended is set
}

func newRecorder(start time.Time, cfg *Config) *recorder {
	// An answer comes at most Timeout after the request left; the rest is for lateness in leaving.
	highest := 2*cfg.Timeout + time.Minute
	return &recorder{
		start:       start,
		highest:     highest,
		total:       Counts{Start: start, Latency: newLatency(highest)},
		window:      Counts{Start: start, Latency: newLatency(highest)},
		lag:         newLatency(highest),
		firstErrors: make(map[string]string),
		onDone:      cfg.OnDone,
		maxErrors:   cfg.MaxErrors,
		maxShare:    cfg.MaxErrorShare,
		enough:      make(chan struct{}),
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
	r.count(Outcome{Class: ClassShed, Text: "MaxInFlight requests were waiting for an answer"})
}

// done records how a request that was due at an offset, and was sent, ended.
func (r *recorder) done(o Outcome, at, latency time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	if r.onDone != nil {
		r.onDone(at, latency, o.Class)
	}
	if o.Class.answered() {
		r.total.Latency.record(latency)
		r.window.Latency.record(latency)
	}
	r.count(o)
}

// count adds one outcome. The caller holds mu.
func (r *recorder) count(o Outcome) {
	r.code(o.Code)
	switch o.Class {
	case ClassOK:
		r.total.OK++
		r.window.OK++
		return
	case ClassAbandoned:
		r.abandoned++
		return
	}
	c := o.Class
	if r.total.Errors.counter(c) == nil { // a Call invented a class
		c = ClassOther
	}
	*r.total.Errors.counter(c)++
	*r.window.Errors.counter(c)++
	if _, seen := r.firstErrors[string(c)]; !seen {
		r.firstErrors[string(c)] = o.Text
	}
	r.judge()
}

// maxCodes bounds the different statuses that are counted, which are the target's to choose.
const maxCodes = 100

// code counts an answer's status. The caller holds mu.
func (r *recorder) code(code string) {
	if code == "" {
		return
	}
	for _, c := range []*Counts{&r.total, &r.window} {
		if c.Codes == nil {
			c.Codes = make(map[string]uint64)
		}
		if _, known := c.Codes[code]; !known && len(c.Codes) >= maxCodes {
			code = "other"
		}
		c.Codes[code]++
	}
}

// minJudged is the outcomes from which on a share of errors is judged.
const minJudged = 100

// judge ends the run when there were too many errors. The caller holds mu.
func (r *recorder) judge() {
	if r.ended != "" {
		return
	}
	errs := r.total.Errors.Total()
	switch {
	case r.maxErrors > 0 && errs > r.maxErrors:
		r.ended = fmt.Sprintf("%d requests failed, which is above the limit of %d", errs, r.maxErrors)
	case r.maxShare > 0 && errs+r.total.OK >= minJudged && r.total.ErrorShare() > r.maxShare:
		r.ended = fmt.Sprintf("%d of %d requests failed, which is above the limit of %s", errs, errs+r.total.OK,
			number.Share(r.maxShare))
	default:
		return
	}
	close(r.enough)
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

// result returns the whole run, which sent until an offset. The recorder is not used after it.
func (r *recorder) result(sentUntil time.Duration, usage Usage) Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := Result{Counts: r.total, Lag: r.lag, Abandoned: r.abandoned, FirstErrors: r.firstErrors, Ended: r.ended}
	res.Seconds = sentUntil.Seconds()
	res.CPU = usage
	res.Limited = limited(&res)
	return res
}
