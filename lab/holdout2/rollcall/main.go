// Rollcall shows who is in the building, to browsers, as server-sent events.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

type presence struct {
	Badge int
	Door  string
	In    bool
}

func (p presence) String() string { return fmt.Sprintf("%d %s %t", p.Badge, p.Door, p.In) }

// viewer is one open page.
type viewer struct {
	name    string
	updates chan presence
	recent  [400]presence // what a page that comes back has missed
	n       int
}

func (v *viewer) push(p presence) {
	v.recent[v.n%len(v.recent)] = p
	v.n++
	select {
	case v.updates <- p:
	default:
	}
}

type hub struct {
	mu      sync.Mutex
	viewers map[string]*viewer
	serial  int
}

func (h *hub) join(name string) *viewer {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serial++
	key := name + "#" + strconv.Itoa(h.serial)
	v := &viewer{name: name, updates: make(chan presence, 32)}
	h.viewers[key] = v
	return v
}

func (h *hub) leave(v *viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.viewers, v.name)
}

func (h *hub) publish(p presence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.viewers {
		v.push(p)
	}
}

func (h *hub) events(w http.ResponseWriter, r *http.Request) {
	v := h.join(r.FormValue("page"))
	defer h.leave(v)
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	for {
		select {
		case p := <-v.updates:
			fmt.Fprintf(w, "data: %s\n\n", p)
			if rc.Flush() != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// look reads some events, as a browser whose user closes the page.
func look(url string) {
	ctx, cancel := context.WithTimeout(context.Background(), 900*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	for in := bufio.NewScanner(res.Body); in.Scan(); {
		_ = strings.TrimPrefix(in.Text(), "data: ")
	}
}

func load(url string) {
	for n := range 60 {
		go func() {
			for {
				look(fmt.Sprintf("%s/events?page=floor-%d", url, n%9))
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
		load("http://" + addr)
	}
	h := &hub{viewers: make(map[string]*viewer)}
	go func() {
		for i := 0; ; i++ {
			h.publish(presence{i % 5000, "door " + strconv.Itoa(i%12), i%2 == 0})
			time.Sleep(50 * time.Millisecond)
		}
	}()
	http.HandleFunc("/events", h.events)
	log.Fatal(http.ListenAndServe(addr, nil))
}
