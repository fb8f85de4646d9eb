package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// An arrival is one request with its intended start.
type arrival struct {
	at  time.Duration // from the start of the run
	req *http.Request
}

// An outcome is how a request ended, with the text of what went wrong.
type outcome struct {
	class class
	text  string
}

// outcomeOf is the outcome of a complete answer.
func outcomeOf(resp *http.Response) outcome {
	c := classOfStatus(resp.StatusCode)
	if c == classOK {
		return outcome{class: c}
	}
	return outcome{c, resp.Status}
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

// A worker sends one request at a time: plain HTTP over a wire of its own, all else, and everything when the caller gave a
// client, by the client.
type worker struct {
	wire   *wire // nil when the caller gave a client
	client *clientSender
}

func (w *worker) do(run context.Context, req *http.Request) outcome {
	if w.wire != nil && req.URL.Scheme == "http" {
		return w.wire.do(run, req)
	}
	return w.client.do(run, req)
}

func (w *worker) close() {
	if w.wire != nil {
		w.wire.close()
	}
	w.client.close()
}

// A clientSender sends by an http.Client. Its context and timer are kept from one request to the next: fresh ones each would
// cost more than the rest of it.
type clientSender struct {
	client  *http.Client
	timeout time.Duration
	body    []byte // answers are read into it and dropped; made at the first one

	ctx    context.Context // of the request in flight; nil when the last one was used up
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// do sends a request and reads the answer to its end.
func (s *clientSender) do(run context.Context, req *http.Request) outcome {
	s.arm(run)
	defer s.disarm()
	resp, err := s.client.Do(req.WithContext(s.ctx))
	if err != nil {
		return outcome{classify(s.ctx, err), err.Error()}
	}
	if s.body == nil {
		s.body = make([]byte, bodyBuffer)
	}
	err = drain(resp.Body, s.body)
	resp.Body.Close() // the answer was read or is lost already
	if err != nil {
		return outcome{classify(s.ctx, err), fmt.Sprintf("reading the answer of %s: %v", req.URL.Redacted(), err)}
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
