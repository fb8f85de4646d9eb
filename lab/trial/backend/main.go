// Backend stands for what the services of the trial depend on: the HTTP service of another team (-addr) and a Postgres
// (-db). The HTTP service is well for a while, and then slow or failing, as its flags say; the Postgres is always well.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A mood is how it answers.
type mood struct {
	latency time.Duration // before an answer; half of it to one and a half
	fail    float64       // share of requests that get 503
}

// A weather is a mood that changes once. Its time begins with the first request: that is when the load begins.
type weather struct {
	begin sync.Once
	start time.Time

	after       time.Duration
	first, then mood
	size        int // bytes of an answer
}

func (w *weather) now() mood {
	w.begin.Do(func() { w.start = time.Now() })
	if w.after > 0 && time.Since(w.start) > w.after {
		return w.then
	}
	return w.first
}

// wait takes as long as an answer takes now.
func (w *weather) wait(ctx context.Context) error {
	timer := time.NewTimer(time.Duration((0.5 + rand.Float64()) * float64(w.now().latency)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ServeHTTP answers any path with JSON.
func (w *weather) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if err := w.wait(r.Context()); err != nil {
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	if rand.Float64() < w.now().fail {
		rw.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(rw, `{"error": "temporarily unavailable", "detail": %q}`, strings.Repeat("x", w.size))
		return
	}
	fmt.Fprintf(rw, `{"path": %q, "value": %d, "score": %.3f, "text": %q}`,
		r.URL.Path, rand.IntN(10_000), rand.Float64(), strings.Repeat("lorem ipsum ", w.size/12))
}

func main() {
	w := &weather{}
	addr := flag.String("addr", "127.0.0.1:9000", "where to serve HTTP")
	db := flag.String("db", "", "where to serve Postgres's protocol")
	dbLatency := flag.Duration("db-latency", 2*time.Millisecond, "mean time of a query")
	flag.IntVar(&w.size, "size", 400, "bytes of an answer")
	flag.DurationVar(&w.first.latency, "latency", 5*time.Millisecond, "mean time of an answer")
	flag.DurationVar(&w.after, "after", 0, "when what follows begins; 0: never")
	flag.DurationVar(&w.then.latency, "then-latency", 5*time.Millisecond, "mean time of an answer then")
	flag.Float64Var(&w.then.fail, "then-fail", 0, "share of requests that fail then")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	if *db != "" {
		well := &weather{first: mood{latency: *dbLatency}}
		go func() { log.Fatal(servePostgres(ctx, *db, well)) }()
	}
	server := &http.Server{Addr: *addr, Handler: w, ReadHeaderTimeout: 10 * time.Second}
	go func() { log.Fatal(server.ListenAndServe()) }()
	<-ctx.Done()
}

// limit is the number behind the last "limit" of a query; 1 without.
func limit(query string) int {
	_, last, ok := strings.Cut(strings.ToLower(query), " limit ")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimSpace(last), "';()"))
	if err != nil {
		return 1
	}
	return n
}
