//go:debug asynctimerchan=1

// Health of four neighbours, asked by the load balancer and by each page of the status board.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type check struct {
	name    string
	timeout time.Duration
	do      func(context.Context) error
}

type checker struct {
	checks []check
	stop   bool
}

func (c *checker) measure(ctx context.Context) map[string]string {
	var mu sync.Mutex
	var all sync.WaitGroup
	failures := map[string]string{}
	fail := func(name, why string) {
		mu.Lock()
		defer mu.Unlock()
		failures[name] = why
	}
	for _, k := range c.checks {
		all.Go(func() {
			answer := make(chan error, 1)
			go func() { answer <- k.do(ctx) }()
			if c.stop {
				late := time.NewTimer(k.timeout)
				defer late.Stop()
				select {
				case <-late.C:
					fail(k.name, "timeout")
				case err := <-answer:
					if err != nil {
						fail(k.name, err.Error())
					}
				}
				return
			}
			select {
			case <-time.After(k.timeout):
				fail(k.name, "timeout")
			case err := <-answer:
				if err != nil {
					fail(k.name, err.Error())
				}
			}
		})
	}
	all.Wait()
	return failures
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8310", "address to serve on")
	fixed := flag.Bool("fixed", false, "stop the timers")
	flag.Parse()
	started := time.Now()
	c := &checker{stop: *fixed}
	for _, name := range []string{"database", "queue", "search", "disk"} {
		c.checks = append(c.checks, check{name, 5 * time.Minute, func(ctx context.Context) error {
			if time.Since(started) < time.Second {
				return errors.New("still starting")
			}
			return ctx.Err()
		}})
	}
	http.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) {
		failures := c.measure(r.Context())
		if len(failures) > 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		json.NewEncoder(w).Encode(failures)
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
