// Subscribe streams prices to many browsers over connections that stay open. Healthy.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type hub struct {
	mu   sync.Mutex
	subs map[chan string]struct{}
}

func (h *hub) join() (ch chan string, leave func()) {
	ch = make(chan string, 8)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs[ch] = struct{}{}
	return ch, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, ch)
	}
}

func (h *hub) publish(s string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch := range h.subs {
		select {
		case ch <- s:
		default: // too slow: it will see the next one
		}
	}
}

func (h *hub) stream(w http.ResponseWriter, r *http.Request) {
	ch, leave := h.join()
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	for {
		select {
		case <-r.Context().Done():
			return
		case s := <-ch:
			if _, err := fmt.Fprintf(w, "data: %s\n\n", s); err != nil {
				return
			}
			rc.Flush()
		}
	}
}

func load(url string) {
	for range 600 {
		res, err := http.Get(url)
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer res.Body.Close()
			for sc := bufio.NewScanner(res.Body); sc.Scan(); {
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr + "/stream")
	}
	h := &hub{subs: map[chan string]struct{}{}}
	go func() {
		price := 1000
		for range time.Tick(10 * time.Millisecond) {
			price += price*7919%11 - 5
			h.publish(fmt.Sprintf(`{"gold": %d}`, price))
		}
	}()
	http.HandleFunc("/stream", h.stream)
	log.Fatal(http.ListenAndServe(addr, nil))
}
