// Wire streams telegrams to newsrooms as server-sent events. Correspondents post them; some newsrooms read slowly.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type agency struct {
	sync.RWMutex
	rooms map[chan string]bool
}

func (a *agency) stream(w http.ResponseWriter, r *http.Request) {
	in := make(chan string, 8)
	a.Lock()
	a.rooms[in] = true
	a.Unlock()
	defer func() { a.Lock(); delete(a.rooms, in); a.Unlock() }()
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		select {
		case text := <-in:
			fmt.Fprintf(w, "data: %s\n\n", text)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (a *agency) post(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	a.RLock()
	defer a.RUnlock()
	for in := range a.rooms {
		select {
		case in <- string(b):
		default: // too slow
		}
	}
}

func load(url string) {
	for i := range 120 {
		go func() {
			resp, err := http.Get(url + "/stream")
			if err != nil {
				log.Fatal(err)
			}
			for in := bufio.NewScanner(resp.Body); in.Scan(); {
				if i%20 == 0 {
					time.Sleep(50 * time.Millisecond)
				}
			}
		}()
	}
	text := strings.Repeat("stop ", 200)
	for range time.Tick(15 * time.Millisecond) {
		if resp, err := http.Post(url+"/post", "text/plain", strings.NewReader(text)); err == nil {
			resp.Body.Close()
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
	a := &agency{rooms: map[chan string]bool{}}
	http.HandleFunc("GET /stream", a.stream)
	http.HandleFunc("POST /post", a.post)
	log.Fatal(http.ListenAndServe(addr, nil))
}
