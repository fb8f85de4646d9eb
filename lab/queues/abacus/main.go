// Abacus counts votes below one lock, which is held for an addition.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type tally struct {
	mu    sync.Mutex
	votes map[string]int
}

func (t *tally) vote(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.votes[name]++
	return t.votes[name]
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
		for i := range 60 {
			go func() {
				for {
					if resp, err := c.Post(fmt.Sprintf("http://%s/vote/c%d", addr, i%7), "", nil); err == nil {
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					time.Sleep(20 * time.Millisecond)
				}
			}()
		}
		select {}
	}
	t := &tally{votes: map[string]int{}}
	http.HandleFunc("POST /vote/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, t.vote(r.PathValue("name")))
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
