package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many requests are under way at once: enough to keep two cores busy.
const connections = 16

// saturate sends requests as fast as they are answered, and counts the answers. It is a closed loop on purpose: what
// is wanted is the CPU of a request of a saturated service, not its latency, for which app/load is there. The client is
// a loop over a socket, because net/http's would need more CPU than the service.
func saturate(ctx context.Context, addr string, d time.Duration) (answers uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var n atomic.Uint64
	errs := make(chan error, connections)
	var clients sync.WaitGroup
	for i := range connections {
		clients.Go(func() {
			if err := oneConnection(ctx, addr, i, &n); err != nil {
				errs <- err
			}
		})
	}
	clients.Wait()
	select {
	case err := <-errs:
		return n.Load(), fmt.Errorf("loading %s: %w", addr, err)
	default:
		return n.Load(), nil
	}
}

func oneConnection(ctx context.Context, addr string, id int, n *atomic.Uint64) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	request := fmt.Appendf(nil, "GET /order?id=%d HTTP/1.1\r\nHost: bench\r\n\r\n", 1000+id)
	r := bufio.NewReader(c)
	for ctx.Err() == nil {
		if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
			return err
		}
		if _, err := c.Write(request); err != nil {
			return err
		}
		if err := discardAnswer(r); err != nil {
			return err
		}
		n.Add(1)
	}
	return nil
}

func discardAnswer(r *bufio.Reader) error {
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the service answered %s", resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
