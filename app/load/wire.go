package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxHead bounds the header of an answer together with the interim answers (1xx) before it: a tenth of what net/http's
// client takes, and above what any server sends in earnest.
const maxHead = 1 << 20

// errHeadTooLarge is the answer of a target that never stops sending headers.
var errHeadTooLarge = fmt.Errorf("the answer's header is above %d bytes", maxHead)

// longAgo as a deadline ends every read and write.
var longAgo = time.Unix(1, 0)

// A wire sends plain HTTP/1.1 over one connection that it keeps, on the goroutine that calls it. net/http's transport
// hands each request to a writing goroutine and each answer back from a reading one; those wake-ups are a quarter of
// the generator's CPU at 2,000 requests a second and half of it at 20,000 (BenchmarkGenerator), which on a small
// machine is taken from the target. Requests are still written, and answers read, by net/http's own code.
type wire struct {
	dial    func(ctx context.Context, network, addr string) (net.Conn, error)
	timeout time.Duration
	body    []byte // answers are read into it and dropped

	conn   net.Conn // nil when there is none
	addr   string   // what conn leads to
	unbind func() bool
	head   headLimit
	in     *bufio.Reader
	out    *bufio.Writer
}

func newWire(dial func(context.Context, string, string) (net.Conn, error), timeout time.Duration) *wire {
	return &wire{dial: dial, timeout: timeout, body: make([]byte, bodyBuffer),
		in: bufio.NewReader(nil), out: bufio.NewWriter(nil)}
}

// do sends a request and reads the answer to its end. run's end interrupts it.
func (w *wire) do(run context.Context, req *http.Request) Outcome {
	o, err := w.attempts(run, req)
	if err == nil {
		return o
	}
	w.close()
	return Outcome{Class: Classify(run, err), Text: fmt.Sprintf("%s %s: %v", req.Method, req.URL.Redacted(), err)}
}

// attempts sends a request, and once more when the connection kept from an earlier request turns out to be closed.
func (w *wire) attempts(run context.Context, req *http.Request) (Outcome, error) {
	deadline := time.Now().Add(w.timeout)
	if u := req.URL.User; u != nil && req.Header.Get("Authorization") == "" {
		password, _ := u.Password()
		req = req.Clone(run)
		req.SetBasicAuth(u.Username(), password)
	}
	addr := hostPort(req.URL)
	if addr != w.addr {
		w.close()
	}
	kept := w.conn != nil
	o, err := w.attempt(run, req, addr, deadline)
	if kept && errors.Is(err, errStale) && repeatable(req) {
		w.close()
		if req.GetBody != nil {
			again := *req // the caller's stays as it is
			if again.Body, err = req.GetBody(); err != nil {
				return o, err
			}
			req = &again
		}
		o, err = w.attempt(run, req, addr, deadline)
	}
	return o, err
}

// errStale marks a connection that gave no byte of an answer before it broke.
var errStale = errors.New("the connection was closed before an answer")

// attempt sends a request over the connection, or a new one.
func (w *wire) attempt(run context.Context, req *http.Request, addr string, deadline time.Time) (Outcome, error) {
	if w.conn == nil {
		if err := w.connect(run, addr, deadline); err != nil {
			return Outcome{}, err
		}
	}
	if err := w.conn.SetDeadline(deadline); err != nil {
		return Outcome{}, fmt.Errorf("%w: %w", errStale, err)
	}
	// The deadline may just have replaced the one that run's end set.
	if run.Err() != nil {
		return Outcome{}, context.Cause(run)
	}
	err := req.Write(w.out)
	if err == nil {
		err = w.out.Flush()
	}
	w.head.left = maxHead
	if _, peekErr := w.in.Peek(1); peekErr != nil {
		// An answer may come although the request could not be sent to its end; without one the first error is the
		// cause.
		if err == nil {
			err = peekErr
		}
		return Outcome{}, stale(err)
	}
	return w.answer(req)
}

// stale marks an error as that of a broken connection, unless time ran out.
func stale(err error) error {
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		return err
	}
	return fmt.Errorf("%w: %w", errStale, err)
}

// answer reads the answer of req to its end and keeps the connection if it may be kept.
func (w *wire) answer(req *http.Request) (Outcome, error) {
	resp, err := w.final(req)
	if err != nil {
		return Outcome{}, err
	}
	w.head.left = math.MaxInt64 // the body is read in pieces and dropped: no bound but the timeout
	err = drain(resp.Body, w.body)
	resp.Body.Close() // the answer was read or is lost already
	if err != nil {
		return Outcome{}, fmt.Errorf("reading the body: %w", err)
	}
	// Bytes beyond the answer belong to no request.
	if resp.Close || req.Close || resp.StatusCode == http.StatusSwitchingProtocols || w.in.Buffered() > 0 {
		w.close()
	}
	return outcomeOf(resp), nil
}

// final reads the header of the final answer, after the interim ones; maxHead bounds their number.
func (w *wire) final(req *http.Request) (*http.Response, error) {
	for {
		resp, err := http.ReadResponse(w.in, req)
		if err != nil {
			if w.head.left <= 0 {
				err = errHeadTooLarge
			}
			return nil, fmt.Errorf("reading the header: %w", err)
		}
		if resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, nil
		}
	}
}

// connect opens a connection. run's end sets its deadline into the past, which wakes a pending read or write.
func (w *wire) connect(run context.Context, addr string, deadline time.Time) error {
	ctx, cancel := context.WithDeadline(run, deadline)
	defer cancel()
	conn, err := w.dial(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	w.conn, w.addr = conn, addr
	w.unbind = context.AfterFunc(run, func() { conn.SetDeadline(longAgo) })
	w.head.r = conn
	w.in.Reset(&w.head)
	w.out.Reset(conn)
	return nil
}

// close gives the connection up.
func (w *wire) close() {
	if w.conn == nil {
		return
	}
	w.unbind()
	w.conn.Close() // nothing is owed to it any more
	w.conn, w.addr = nil, ""
}

// repeatable says whether a request may be sent twice: RFC 9110 §9.2.2 calls these methods idempotent, and the body, if
// there is one, must be made again.
func repeatable(req *http.Request) bool {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodTrace:
		return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
	}
	return false
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// A headLimit reads from r at most left bytes.
type headLimit struct {
	r    io.Reader
	left int64
}

func (h *headLimit) Read(p []byte) (int, error) {
	if h.left <= 0 {
		return 0, errHeadTooLarge
	}
	n, err := h.r.Read(p[:min(int64(len(p)), h.left)])
	h.left -= int64(n)
	return n, err
}
