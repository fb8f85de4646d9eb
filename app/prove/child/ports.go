package child

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"
)

// Ports are taken from below the range that systems give to outgoing connections (32768 and up on Linux, 49152
// elsewhere): a connection of the load generator must not take a port between our finding it free and the server's
// listening on it.
const (
	lowPort  = 20000
	highPort = 32000
)

// freePorts returns n different ports that nobody listens on.
func freePorts(n int) ([]int, error) {
	var ports []int
	var last error
	for range 200 {
		port := lowPort + rand.IntN(highPort-lowPort)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			last = err
			continue
		}
		defer l.Close() // until all are found, so that they differ
		ports = append(ports, port)
		if len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("finding a free port from %d to %d: %w", lowPort, highPort, last)
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
