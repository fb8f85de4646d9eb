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

// saturate sends requests as fast as they are answered for d, and counts the answers. It is a closed loop on purpose:
// what is wanted is the CPU of a request, not its latency. The client is a loop over a socket, because net/http's
// would need more CPU than the service.
func saturate(ctx context.Context, addr string, d time.Duration) (answers int, err error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var n atomic.Int64
	errs := make(chan error, connections)
	var clients sync.WaitGroup
	for range connections {
		clients.Go(func() { errs <- ask(ctx, addr, &n) })
	}
	clients.Wait()
	close(errs)
	for e := range errs {
		if e != nil {
			err = fmt.Errorf("loading %s: %w", addr, e)
		}
	}
	return int(n.Load()), err
}

// ask sends one request after the other over one connection.
func ask(ctx context.Context, addr string, n *atomic.Int64) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for ctx.Err() == nil {
		if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
			return err
		}
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: bench\r\n\r\n"); err != nil {
			return err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		n.Add(1)
	}
	return nil
}
