package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptrace"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// captureTrace takes an execution trace for d, or until TraceBytes have come. Its end is asked for by closing
// our half of the connection: net/http's server cancels the request's context then, net/http/pprof stops tracing, and
// what the runtime still holds comes before the answer ends. A connection that is closed as a whole would lose that,
// and with it the strings and stacks of the last second.
//
// Where that does not help (HTTP/2, a proxy between), more comes than is kept; then it asks again, for half of the time
// in which that came.
func (t *HTTP) captureTrace(ctx context.Context, d time.Duration) (Profile, error) {
	p, err := t.traceFor(ctx, d)
	var large *tooLargeError
	if !errors.As(err, &large) || large.after < 2*time.Second {
		return p, err
	}
	shorter := (large.after / 2).Truncate(time.Second)
	p, err = t.traceFor(ctx, shorter)
	if err == nil {
		p.note(fmt.Sprintf("of %s only: %s arrived in %s", shorter, number.Bytes(float64(large.bytes)),
			number.Duration(large.after)))
	}
	return p, err
}

func (t *HTTP) traceFor(ctx context.Context, d time.Duration) (Profile, error) {
	return t.takeExclusive(ctx, casefile.Trace, d, func(d time.Duration) (Profile, error) {
		end := newHalfClose(int64(cmp.Or(t.TraceBytes, DefaultTraceBytes)))
		p, err := fetchWith(ctx, t.party, answer{casefile.Trace, end.limit + DefaultTraceBytes}, d, t.patience(),
			func(ctx context.Context, read func(io.Reader) error) error {
				return t.get(httptrace.WithClientTrace(ctx, end.trace()), "trace", secondsOf(d),
					func(r io.Reader) error { end.r = r; return read(end) })
			})
		if err == nil {
			p.traced(end, d)
		}
		return p, err
	})
}

// traced says how much came in how long, if it came to the limit.
func (p *Profile) traced(end *halfClose, d time.Duration) {
	if end.at.IsZero() {
		return
	}
	took := end.at.Sub(p.Taken)
	p.Seconds = took.Seconds()
	p.Cost = max(time.Since(p.Taken)-took, 0)
	p.note(endedAt(int(end.limit), took, d))
}

// endedAt is the note of a trace that was ended because enough had come.
func endedAt(limit int, took, d time.Duration) string {
	return fmt.Sprintf("ended after %s of %s: %s had arrived, %s a second", number.Seconds(took.Seconds()),
		number.Duration(d), number.Bytes(float64(limit)), number.Bytes(float64(limit)/max(took.Seconds(), 1e-3)))
}

// A halfClose passes an answer on, and closes our half of its connection when limit bytes have come.
type halfClose struct {
	r     io.Reader
	limit int64
	came  int64
	at    time.Time // when the limit was reached; zero before
	conn  chan net.Conn
}

func newHalfClose(limit int64) *halfClose {
	return &halfClose{limit: limit, conn: make(chan net.Conn, 1)}
}

// trace learns the connection. A request that is sent again has another one.
func (h *halfClose) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
		select {
		case <-h.conn:
		default:
		}
		h.conn <- c.Conn
	}}
}

func (h *halfClose) Read(b []byte) (int, error) {
	n, err := h.r.Read(b)
	h.came += int64(n)
	if h.came >= h.limit && h.at.IsZero() {
		h.at = time.Now()
		h.end()
	}
	return n, err
}

func (h *halfClose) end() {
	select {
	case c := <-h.conn:
		if half, ok := c.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // it ends by itself, later
		}
	default:
	}
}
