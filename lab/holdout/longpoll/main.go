// Longpoll holds requests until something happens in their room, for half a minute at most. Healthy.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"
)

type room struct {
	mu   sync.Mutex
	text string
	next chan struct{} // closed at the next message
}

func (r *room) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text = text
	close(r.next)
	r.next = make(chan struct{})
}

func (r *room) wait(ctx context.Context) (string, error) {
	r.mu.Lock()
	next := r.next
	r.mu.Unlock()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-next:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text, nil
}

type chat [100]room

func (c *chat) of(r *http.Request) *room {
	n, _ := strconv.ParseUint(r.FormValue("room"), 10, 16)
	return &c[n%uint64(len(c))]
}

func (c *chat) poll(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
	defer cancel()
	text, err := c.of(r).wait(ctx)
	if err != nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	fmt.Fprintln(w, text)
}

func (c *chat) post(w http.ResponseWriter, r *http.Request) { c.of(r).say(r.FormValue("text")) }

func load(base string) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
	for i := range 800 {
		go func() {
			for {
				if r, err := client.Get(fmt.Sprint(base, "/poll?room=", i%100)); err == nil {
					r.Body.Close()
				}
			}
		}()
	}
	for i := range 20000 * 3 { // room 0 to 39 talk, the others are silent
		time.Sleep(3 * time.Millisecond)
		if r, err := client.Get(fmt.Sprint(base, "/post?text=hello&room=", i*7%40)); err == nil {
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
	c := new(chat)
	for i := range c {
		c[i].next = make(chan struct{})
	}
	http.HandleFunc("/poll", c.poll)
	http.HandleFunc("/post", c.post)
	log.Fatal(http.ListenAndServe(addr, nil))
}
