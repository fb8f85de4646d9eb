package reporter

import (
	"context"
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
