package middleware

import (
	"context"
	"errors"
	"net/http"
	"runtime"
)

// A request is one request in flight: the response writer that its handler sees, and what must be known at its end.
// Requests are pooled. net/http pools the buffers of its own writers too, so that pooling adds no new danger to using a
// writer after its handler has returned; but those of hijacked connections and of panics, where that is likely, are not
// used again.
type request struct {
	w     http.ResponseWriter // the server's; spent{} when the handler has returned
	r     *http.Request
	meter *Meter
	home  *shard
	slot  *slot
	start int64

	status   int  // of the final header, 0 before it
	gone     bool // the client had left when the header was written
	stream   bool // the latency is noted already
	hijacked bool
	returned bool // the handler did, and did not panic
	abilities
}

func (m *Meter) newRequest() *request {
	n := m.made.Add(1)
	q := &request{meter: m, home: &m.shards[n%uint64(len(m.shards))], slot: m.inflight.take()}
	runtime.AddCleanup(q, m.inflight.give, q.slot)
	return q
}

func (m *Meter) begin(w http.ResponseWriter, r *http.Request) *request {
	q := m.requests.Get().(*request)
	q.w, q.r = w, r
	q.status, q.gone, q.stream, q.hijacked, q.returned = 0, false, false, false, false
	q.abilities = abilitiesOf(w)
	q.start = m.now()
	q.slot.Store(q.start)
	return q
}

// end is deferred around the handler. A panic continues; the frames that raised it are still on the stack that net/http
// prints.
func (q *request) end() {
	if q.returned {
		q.finish(q.verdict())
		if !q.hijacked {
			q.meter.requests.Put(q)
		}
		return
	}
	reason := recover() // nil when the handler called runtime.Goexit
	if reason == http.ErrAbortHandler {
		q.finish(aborted)
	} else {
		q.finish(panicked)
	}
	if reason != nil {
		panic(reason)
	}
}

// finish counts the request. The slot is cleared first: a reader, which reads counts before slots, never meets the
// request in both.
func (q *request) finish(o outcome) {
	q.slot.Store(idle)
	if !q.stream {
		q.noteLatency()
	}
	q.home.outcomes[o].Add(1)
	q.w, q.r = spent{}, nil
}

// startStream notes the latency of a response that has become a stream and takes its age away.
func (q *request) startStream() {
	if q.stream || q.r == nil { // nil: the handler has returned
		return
	}
	q.stream = true
	q.slot.Store(streaming)
	q.noteLatency()
}

func (q *request) noteLatency() {
	q.home.buckets[bucketOf(q.meter.now()-q.start)].Add(1)
}

// verdict is the outcome of a request whose handler returned.
func (q *request) verdict() outcome {
	unanswered := q.status == 0 && !q.hijacked
	switch {
	case q.gone, unanswered && clientLeft(q.r):
		return canceled
	case q.status >= http.StatusInternalServerError:
		return failed
	}
	return served
}

// clientLeft says whether the client has closed its connection or reset its stream, on which net/http cancels.
func clientLeft(r *http.Request) bool {
	return r != nil && errors.Is(r.Context().Err(), context.Canceled)
}
