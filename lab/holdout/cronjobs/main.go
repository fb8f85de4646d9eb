// Cronjobs runs sixty small jobs, each at its own pace. Healthy.
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/crc64"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type job struct {
	name  string
	every time.Duration
	run   func(context.Context) error
}

type runner struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	runs map[string]int
}

func (r *runner) start(ctx context.Context, j job) {
	r.wg.Go(func() {
		t := time.NewTicker(j.every)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			c, cancel := context.WithTimeout(ctx, j.every)
			if err := j.run(c); err != nil {
				log.Print(j.name, ": ", err)
			}
			cancel()
			r.mu.Lock()
			r.runs[j.name]++
			r.mu.Unlock()
		}
	})
}

func checksum(size int) func(context.Context) error {
	table, data := crc64.MakeTable(crc64.ECMA), make([]byte, size)
	return func(ctx context.Context) error {
		crc64.Checksum(data, table)
		return ctx.Err()
	}
}

// load looks at the page of the jobs now and then, as people do.
func load(base string) {
	for range time.Tick(20 * time.Millisecond) {
		if r, err := http.Get(base + "/jobs"); err == nil {
			r.Body.Close()
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	r := &runner{runs: map[string]int{}}
	for i := range 60 {
		r.start(ctx, job{fmt.Sprint("job", i), time.Duration(60+11*i) * time.Millisecond, checksum(2 << 20)})
	}
	http.HandleFunc("/jobs", func(w http.ResponseWriter, _ *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for n, c := range r.runs {
			fmt.Fprintln(w, n, c)
		}
	})
	s := &http.Server{Addr: addr}
	go s.ListenAndServe()
	<-ctx.Done()
	s.Close()
	r.wg.Wait()
}
