// Commons is a chat: a client polls for what others say, and says something itself, over the same connections.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type room struct {
	mu    sync.Mutex
	wants []chan string
}

func (rm *room) poll(w http.ResponseWriter, r *http.Request) {
	ch := make(chan string, 1)
	rm.mu.Lock()
	rm.wants = append(rm.wants, ch)
	rm.mu.Unlock()
	select {
	case text := <-ch:
		io.WriteString(w, text)
	case <-time.After(10 * time.Second):
		w.WriteHeader(http.StatusNoContent)
	case <-r.Context().Done():
	}
}

func (rm *room) say(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(io.LimitReader(r.Body, 4096))
	rm.mu.Lock()
	wants := rm.wants
	rm.wants = nil
	rm.mu.Unlock()
	for _, ch := range wants {
		select {
		case ch <- string(text):
		default:
		}
	}
}

func load(url string) {
	for i := range 80 {
		go func() { // a client has one connection
			c := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
			do := func(resp *http.Response, err error) {
				if err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			}
			for {
				do(c.Get(url + "/poll"))
				if rand.IntN(40) == 0 {
					do(c.Post(url+"/say", "text/plain", strings.NewReader(fmt.Sprint("hello from ", i))))
				}
			}
		}()
	}
	for range time.Tick(100 * time.Millisecond) {
		if resp, err := http.Post(url+"/say", "text/plain", strings.NewReader("tick")); err == nil {
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
	rm := &room{}
	http.HandleFunc("GET /poll", rm.poll)
	http.HandleFunc("POST /say", rm.say)
	log.Fatal(http.ListenAndServe(addr, nil))
}
