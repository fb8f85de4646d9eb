// Pages is a cache in front of a site: one call upstream for all who want the same page at once.
package main

import (
	"errors"
	"flag"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

const (
	backendTimeout = 10 * time.Second
	fresh          = 500 * time.Millisecond
)

var errTimeout = errors.New("the backend did not answer in time")

type page struct {
	body []byte
	at   time.Time
}

type cache struct {
	client *http.Client
	base   string
	flight singleflight.Group
	mu     sync.RWMutex
	pages  map[string]page
}

func (c *cache) lookup(key string) ([]byte, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p, ok := c.pages[key]
	return p.body, ok && time.Since(p.at) < fresh
}

// fetch asks the site and keeps the answer.
func (c *cache) fetch(key string) ([]byte, error) {
	resp, err := c.client.Get(c.base + key)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.pages[key] = page{body, time.Now()}
	c.mu.Unlock()
	return body, nil
}

func (c *cache) upstream(key string) ([]byte, error) {
	body, err, _ := c.flight.Do(key, func() (any, error) { return c.fetch(key) })
	if err != nil {
		return nil, err
	}
	return body.([]byte), nil
}

func (c *cache) serve(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Path
	if body, ok := c.lookup(key); ok {
		w.Write(body)
		return
	}
	type answer struct {
		body []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		body, err := c.upstream(key)
		answers <- answer{body, err}
	}()
	select {
	case a := <-answers:
		if a.err != nil {
			http.Error(w, a.err.Error(), http.StatusBadGateway)
			return
		}
		w.Write(a.body)
	case <-time.After(backendTimeout):
		http.Error(w, errTimeout.Error(), http.StatusGatewayTimeout)
	}
}

// site answers in 20 ms, but for one call after a while, to a page that many want, which it never answers.
func site() {
	var calls atomic.Int64
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page/2" && calls.Add(1) == 4 {
			<-r.Context().Done()
			return
		}
		time.Sleep(20 * time.Millisecond)
		w.Write(make([]byte, 4096))
	})
	http.ListenAndServe(*web.Peer, nil)
}

func main() {
	flag.Parse()
	if *web.Back {
		site()
	}
	c := &cache{client: &http.Client{}, base: "http://" + *web.Peer, pages: make(map[string]page)}
	if *web.Fixed {
		c.client.Timeout = 2 * time.Second
	}
	web.Serve(http.HandlerFunc(c.serve))
}
