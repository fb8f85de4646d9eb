package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"time"
)

// Ports are taken from below the range that systems give to outgoing connections (32768 and up on Linux, 49152
// elsewhere): a connection of the load generator must not take a port between our finding it free and the server's
// listening on it.
const (
	lowPort  = 20000
	highPort = 32000
)

// A lease is ports that no other Casebook on this machine gives to a server until they are released. Between our
// finding a port free and the server's listening on it, seconds may pass on a busy machine, and another Casebook must
// not find it free as well.
type lease struct {
	ports []int
	marks []io.Closer
}

// leasePorts returns n ports in a row that nobody listens on.
func leasePorts(n int) (l *lease, err error) {
	for range 200 {
		if l, err = leaseFrom(lowPort+rand.IntN(highPort-lowPort-n), n); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("finding %d free ports in a row from %d to %d: %w", n, lowPort, highPort, err)
}

func leaseFrom(first, n int) (*lease, error) {
	l := &lease{}
	for port := first; port < first+n; port++ {
		mark, err := markPort(port)
		if err == nil {
			l.ports, l.marks = append(l.ports, port), append(l.marks, mark)
			var listener net.Listener
			if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
				err = listener.Close()
			}
		}
		if err != nil {
			l.release()
			return nil, err
		}
	}
	return l, nil
}

func (l *lease) release() {
	for _, m := range l.marks {
		m.Close() // nothing was written
	}
	l.marks = nil
}

// markPort marks a port as taken, for as long as the mark is open and this process lives. Elsewhere than on Linux,
// which has names of sockets that are no files, nothing is marked.
func markPort(port int) (io.Closer, error) {
	if runtime.GOOS != "linux" {
		return io.NopCloser(nil), nil
	}
	return net.Listen("unix", fmt.Sprintf("@casebook-port-%d", port))
}

// pollEvery is how often a port is tried.
const pollEvery = 10 * time.Millisecond

// awaitClosed waits until nothing answers at addr. A connection that does not come about in time says nothing: the
// machine is busy.
func awaitClosed(ctx context.Context, addr string) error {
	return poll(ctx, func() bool {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			conn.Close() // only whether it answers matters
		}
		var slow net.Error
		return err != nil && !(errors.As(err, &slow) && slow.Timeout())
	})
}

// poll asks until the answer is yes or ctx ends.
func poll(ctx context.Context, done func() bool) error {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return errors.Join(errStillOpen, ctx.Err())
		case <-ticker.C:
		}
	}
	return nil
}
