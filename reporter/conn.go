package reporter

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// dial connects to servers that must not speak first: net/http prints to the standard logger, which is the owner's
// stderr, what arrives before a request was sent ("Unsolicited response received …"), and a Transport has no setting
// for it. Inside of TLS, where the client does speak first, a server could still cause that line.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &politeConn{Conn: c, spoken: make(chan struct{})}, nil
}

// A politeConn reads nothing before something was written.
type politeConn struct {
	net.Conn
	spoken chan struct{} // closed by the first Write or by Close
	once   sync.Once
}

func (c *politeConn) Read(p []byte) (int, error) {
	<-c.spoken
	return c.Conn.Read(p)
}

func (c *politeConn) Write(p []byte) (int, error) {
	c.once.Do(func() { close(c.spoken) })
	return c.Conn.Write(p)
}

func (c *politeConn) Close() error {
	c.once.Do(func() { close(c.spoken) })
	return c.Conn.Close()
}

// An Error lets a Send say more than that it failed.
type Error struct {
	Err error
	// Final says that trying again is of no use.
	Final bool
	// After is how long to wait at least before the next try. Zero leaves it to the reporter's Retry.
	After time.Duration
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "the report failed"
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

func final(err error) error { return &Error{Err: err, Final: true} }

func isFinal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Final
}

// retryAfter is how long the other side asked to be left alone.
func retryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.After
	}
	return 0
}
