// Package backend is the service that faults ask over the network: in the same process, on a port of its own, healthy.
//
// It answers GET /item?i=N after a delay with a short text; a path /missing with 404 and a text; /hang never answers.
package backend

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Backend answers after a delay. Its zero value listens at the first use.
type Backend struct {
	Delay time.Duration

	once sync.Once
	url  string

	mu      sync.Mutex
	hanging []net.Conn // held, so that nobody closes them
}

// URL is its address, without a path. It begins to listen, for the life of the process, at the first call.
func (b *Backend) URL() string {
	b.once.Do(func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic("the loopback has no free port: " + err.Error()) // a lab without a network
		}
		b.url = "http://" + l.Addr().String()
		srv := &http.Server{Handler: b.routes(), ReadHeaderTimeout: 10 * time.Second}
		go srv.Serve(l)
	})
	return b.url
}

func (b *Backend) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/item", func(w http.ResponseWriter, r *http.Request) {
		wait(r.Context(), b.Delay)
		fmt.Fprintf(w, "item %s is in stock", r.FormValue("i"))
	})
	mux.HandleFunc("/missing", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no such item", http.StatusNotFound)
	})
	mux.HandleFunc("/hang", b.hang)
	return mux
}

// hang keeps the connection and does not answer: a goroutine that waits would be a fault of its own in the evidence.
func (b *Backend) hang(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hanging = append(b.hanging, conn)
}

func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
