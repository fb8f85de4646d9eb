package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// An arrival is one request with its intended start. It has a request or a call.
type arrival struct {
	at   time.Duration // from the start of the run
	req  *http.Request
	call Call
}

// An Outcome is how a request ended.
type Outcome struct {
	Class Class
	Code  string // the answer's status, such as 200 or NOT_FOUND; "" without an answer
	Text  string // what went wrong
}

// outcomeOf returns the outcome of a complete answer.
func outcomeOf(resp *http.Response) Outcome {
	o := Outcome{Class: classOfStatus(resp.StatusCode)}
	if len(resp.Status) >= 3 { // "200 OK": a part of it costs nothing
		o.Code = resp.Status[:3]
	} else {
		o.Code = strconv.Itoa(resp.StatusCode)
	}
	if o.Class != ClassOK {
		o.Text = resp.Status
	}
	return o
}

// bodyBuffer is how much of an answer is read at once. Small, because every request in flight has one.
const bodyBuffer = 8 << 10

// drain reads a body to its end and drops it.
func drain(body io.Reader, buf []byte) error {
	for {
		_, err := body.Read(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// A worker sends one request at a time: plain HTTP/1.1 over its own wire, everything else through the client. If the
// caller gave a client, it is used for everything.
type worker struct {
	wire   *wire // nil when the caller gave a client, or another protocol is wanted
	client *clientSender
}

func (w *worker) do(run context.Context, a arrival) Outcome {
	switch {
	case a.call != nil:
		return w.client.call(run, a.call)
	case w.wire != nil && a.req.URL.Scheme == "http":
		return w.wire.do(run, a.req)
	}
	return w.client.do(run, a.req)
}

func (w *worker) close() {
	if w.wire != nil {
		w.wire.close()
	}
	w.client.close()
}

// A clientSender sends by an http.Client. Its context and timer are kept from one request to the next: fresh ones each
// would cost more than the rest of it.
type clientSender struct {
	client  *http.Client
	timeout time.Duration
	body    []byte // answers are read into it and dropped; made at the first one

	ctx    context.Context // of the request in flight; nil if the last one was used up
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// call performs a call that is bound by the timeout.
func (s *clientSender) call(run context.Context, c Call) Outcome {
	s.arm(run)
	defer s.disarm()
	return c(s.ctx)
}

// do sends a request and reads the answer to its end.
func (s *clientSender) do(run context.Context, req *http.Request) Outcome {
	s.arm(run)
	defer s.disarm()
	resp, err := s.client.Do(req.WithContext(s.ctx))
	if err != nil {
		return Outcome{Class: Classify(s.ctx, err), Text: err.Error()}
	}
	if s.body == nil {
		s.body = make([]byte, bodyBuffer)
	}
	err = drain(resp.Body, s.body)
	resp.Body.Close() // the answer was read or is lost already
	if err != nil {
		return Outcome{Class: Classify(s.ctx, err), Text: fmt.Sprintf("reading the answer of %s: %v",
			req.URL.Redacted(), err)}
	}
	return outcomeOf(resp)
}

// arm readies the context to end after the timeout.
func (s *clientSender) arm(run context.Context) {
	if s.ctx != nil {
		s.timer.Reset(s.timeout)
		return
	}
	ctx, cancel := context.WithCancelCause(run)
	s.ctx, s.cancel = ctx, cancel
	s.timer = time.AfterFunc(s.timeout, func() { cancel(errTimeout) })
}

// disarm stops the timer. A context whose timer has fired is used up.
func (s *clientSender) disarm() {
	if !s.timer.Stop() {
		s.close()
	}
}

// close gives the context back.
func (s *clientSender) close() {
	if s.ctx == nil {
		return
	}
	s.timer.Stop()
	s.cancel(nil)
	s.ctx = nil
}
