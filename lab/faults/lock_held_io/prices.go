// Package lock_held_io looks up prices in another service, and remembers the last one.
//
// The fault: the lock that guards what is remembered is held while the other service is asked.
package lock_held_io

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// Prices asks for prices.
type Prices struct {
	backend backend.Backend
	client  http.Client
	waiting chan struct{} // bounds the requests under way
	outside bool          // asks outside of the lock

	mu   sync.Mutex
	last map[string]string
}

// get asks for a price and remembers it.
func (p *Prices) get(item string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	price, err := p.fetch(item)
	if err == nil {
		p.last[item] = price
	}
	return price, err
}

// getOutside asks without the lock.
func (p *Prices) getOutside(item string) (string, error) {
	price, err := p.fetch(item)
	if err == nil {
		p.mu.Lock()
		p.last[item] = price
		p.mu.Unlock()
	}
	return price, err
}

func (p *Prices) fetch(item string) (string, error) {
	resp, err := p.client.Get(p.backend.URL() + "/item?i=" + item)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(body), err
}

// ServeHTTP answers with a price, or that there are too many requests.
func (p *Prices) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case p.waiting <- struct{}{}:
		defer func() { <-p.waiting }()
	default:
		http.Error(w, "too many requests", http.StatusServiceUnavailable)
		return
	}
	get := p.get
	if p.outside {
		get = p.getOutside
	}
	price, err := get(r.FormValue("i"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, price)
}

func service(underWay int, outside bool) faults.Service {
	p := &Prices{backend: backend.Backend{Delay: 20 * time.Millisecond},
		client:  http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 100}},
		waiting: make(chan struct{}, underWay), outside: outside, last: make(map[string]string)}
	return faults.Service{Handler: p, Load: []faults.Call{{Path: "/price?i=1", PerSecond: 90}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "lock-held-io", Text: "a lock is held while another service is asked for 20 ms",
		Culprit:  "lock_held_io.(*Prices).get",
		Faulty:   func() faults.Service { return service(80, false) },
		Repaired: func() faults.Service { return service(80, true) },
		Limit:    func() faults.Service { return service(12, false) },
		Twice:    13 * time.Second,
	}
}
