package middleware

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
)

// measured is what the response writers of this package have and no others.
type measured interface{ self() *request }

// self is the request itself, from any of the writers that embed it.
func (q *request) self() *request { return q }

// Header is the server's.
func (q *request) Header() http.Header { return q.w.Header() }

// WriteHeader notes the status of the final header; those of 1xx but 101 come before it.
func (q *request) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		q.answer(status)
	}
	q.w.WriteHeader(status)
}

// answer notes the first status. Only for failures it checks whether the client had left before.
func (q *request) answer(status int) {
	if q.status != 0 {
		return
	}
	q.status = status
	q.gone = status >= http.StatusInternalServerError && clientLeft(q.r)
}

// Write writes to the server's writer.
func (q *request) Write(b []byte) (int, error) {
	q.answer(http.StatusOK)
	return q.w.Write(b)
}

// WriteString writes to the server's writer, without a copy where that can.
func (q *request) WriteString(s string) (int, error) {
	q.answer(http.StatusOK)
	return io.WriteString(q.w, s)
}

// FlushError is what http.ResponseController looks for first. It is here for every writer, also where the server's has
// no Flush itself, to see the flush of a stream; then the error is the controller's.
func (q *request) FlushError() error {
	if err := http.NewResponseController(q.w).Flush(); err != nil {
		return err
	}
	q.flushed()
	return nil
}

// Unwrap is for http.ResponseController: deadlines, full duplex, and future abilities.
func (q *request) Unwrap() http.ResponseWriter {
	if q.hijack {
		return q.w
	}
	return inner{q}
}

// inner is what Unwrap returns where only a writer further in can hijack: to see that, too.
type inner struct{ *request }

func (x inner) Unwrap() http.ResponseWriter { return x.w }

func (x inner) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return x.hijackBy(http.NewResponseController(x.w).Hijack)
}

func (q *request) hijackBy(hijack func() (net.Conn, *bufio.ReadWriter, error)) (net.Conn, *bufio.ReadWriter, error) {
	conn, buf, err := hijack()
	if err == nil {
		q.hijacked = true
		q.startStream()
	}
	return conn, buf, err
}

// flushed is called when bytes have gone out: from here on some responses are streams.
func (q *request) flushed() {
	q.answer(http.StatusOK)
	if q.stream || q.r == nil {
		return
	}
	if q.r.Method == http.MethodConnect || isEventStream(q.w.Header()) {
		q.startStream()
	}
}

func isEventStream(h http.Header) bool {
	const eventStream = "text/event-stream"
	value := h.Get("Content-Type")
	if len(value) < len(eventStream) {
		return false
	}
	kind, _, err := mime.ParseMediaType(value)
	return err == nil && kind == eventStream
}

// Stream says that the response to w is a stream, or an answer that waits by design, such as a long poll or a profile
// that takes seconds: its latency is the time until now. It reports whether w is, or wraps, the writer of a Meter.
func Stream(w http.ResponseWriter) bool {
	found := false
	for w != nil {
		if m, ok := w.(measured); ok {
			m.self().startStream()
			found = true
		}
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			break
		}
		w = u.Unwrap()
	}
	return found
}

// spent is the writer of a request whose handler has returned. A goroutine of the handler that writes still gets an
// error, as from net/http, not a crash.
type spent struct{}

var errSpent = errors.New("the response writer was used after its handler had returned")

func (spent) Header() http.Header       { return make(http.Header) }
func (spent) WriteHeader(int)           {}
func (spent) Write([]byte) (int, error) { return 0, errSpent }
