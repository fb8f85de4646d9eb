// Ferryman asks the harbour for tides; a weighted semaphore keeps the calls few.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"golang.org/x/sync/semaphore"
)

var (
	calls   = semaphore.NewWeighted(2)
	harbour string
)

func tide(ctx context.Context, day string) ([]byte, error) {
	if err := calls.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer calls.Release(1)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, harbour+"/tide/"+day, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func crossing(w http.ResponseWriter, r *http.Request) {
	t, err := tide(r.Context(), r.URL.Query().Get("day"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Write(t)
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	harbour = fmt.Sprintf("http://127.0.0.1:%d", *port+1)
	if *l {
		go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port+1), http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(25 * time.Millisecond)
				fmt.Fprintln(w, "high at noon")
			}))
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 40}}
		for i := range 30 {
			go func() {
				for {
					if resp, err := c.Get(fmt.Sprintf("http://%s/crossing?day=%d", addr, i)); err == nil {
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					time.Sleep(50 * time.Millisecond)
				}
			}()
		}
		select {}
	}
	http.HandleFunc("/crossing", crossing)
	log.Fatal(http.ListenAndServe(addr, nil))
}
