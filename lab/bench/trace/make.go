package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/trace"
	"sync"
	"sync/atomic"
)

// makeTrace traces a busy program until the trace has its size.
func makeTrace(file string, size int64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	ctx, enough := context.WithCancel(context.Background())
	if err := trace.Start(&counted{to: f, left: size, enough: enough}); err != nil {
		return err
	}
	var all sync.WaitGroup
	all.Go(func() { serve(ctx) })
	all.Go(func() { handOver(ctx) })
	<-ctx.Done()
	all.Wait()
	trace.Stop()
	return f.Close()
}

// counted says when enough has been written.
type counted struct {
	to     io.Writer
	left   int64
	enough func()
}

func (c *counted) Write(p []byte) (int, error) {
	if c.left -= int64(len(p)); c.left < 0 {
		c.enough()
	}
	return c.to.Write(p)
}

// serve answers requests over loopback, each with a lock, an allocation and a goroutine of its own.
func serve(ctx context.Context) {
	var mu sync.Mutex
	var served atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan []byte)
		go func() { done <- make([]byte, 4096) }()
		mu.Lock()
		served.Add(1)
		mu.Unlock()
		_, _ = w.Write(<-done)
	}))
	defer srv.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for ctx.Err() == nil {
				get(ctx, srv)
			}
		})
	}
	all.Wait()
}

func get(ctx context.Context, srv *httptest.Server) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL, nil)
	if err != nil {
		return
	}
	resp, err := srv.Client().Do(req)
	if err != nil {
		return // ctx has ended
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = errors.Join(err, resp.Body.Close())
}

// handOver is goroutines that hand each other items through channels.
func handOver(ctx context.Context) {
	var all sync.WaitGroup
	for range 4 {
		items := make(chan int)
		all.Go(func() {
			defer close(items)
			for i := 0; ctx.Err() == nil; i++ {
				items <- i
			}
		})
		all.Go(func() {
			for range items {
			}
		})
	}
	all.Wait()
}
