// Dunes hands out maps, to each guest no faster than the plan of the guest allows.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

// throttled writes no more than a chunk in each interval.
type throttled struct {
	ctx   context.Context
	w     io.Writer
	chunk int
	every time.Duration
}

func (t *throttled) Write(p []byte) (n int, err error) {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for n < len(p) {
		m, err := t.w.Write(p[n:min(n+t.chunk, len(p))])
		n += m
		if err != nil {
			return n, err
		}
		select {
		case <-tick.C:
		case <-t.ctx.Done():
			return n, context.Cause(t.ctx)
		}
	}
	return n, nil
}

type archive map[string][]byte

func (a archive) download(w http.ResponseWriter, r *http.Request) {
	m, ok := a[r.PathValue("sheet")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(m)))
	t := &throttled{r.Context(), w, 16 << 10, 100 * time.Millisecond}
	io.Copy(t, bytes.NewReader(m))
}

func load(url string) {
	for n := range 250 {
		go func() {
			for i := n; ; i++ {
				if res, err := http.Get(fmt.Sprintf("%s/map/sheet-%d", url, i%20)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}
		}()
		time.Sleep(10 * time.Millisecond)
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	a := make(archive)
	for i := range 20 {
		a[fmt.Sprintf("sheet-%d", i)] = bytes.Repeat([]byte("dune"), 300_000+i*1000)
	}
	http.HandleFunc("GET /map/{sheet}", a.download)
	log.Fatal(http.ListenAndServe(addr, nil))
}
