package settled

import (
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

type rates struct {
	mu     sync.RWMutex
	known  map[string]float64
	order  []string
	client *http.Client
	file   *os.File
	ask    asker
}

type asker interface{ price(string) float64 }

type shop struct{ url string }

func (s *shop) price(name string) float64 {
	res, err := http.Get(s.url + name)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return 1
}

func (r *rates) direct(name string) {
	r.mu.Lock()
	res, err := r.client.Get(name) //ask lock-held-io: confirms the lock taken at :\d+ is held over r.client.Get
	r.mu.Unlock()
	if err == nil {
		res.Body.Close()
	}
}

func (r *rates) behind(name string) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ask.price(name) //ask lock-held-io: confirms r.ask.price at :\d+, which waits for an HTTP response
}

func (r *rates) helper(name string) { r.fetch(name) }

func (r *rates) fetch(name string) {
	http.Head(name) //ask lock-held-io: confirms the lock taken at :\d+ is held over r.fetch
}

func (r *rates) caller(name string) {
	r.mu.Lock()
	r.fetch(name)
	r.mu.Unlock()
}

func (r *rates) afterwards(name string) {
	r.mu.Lock()
	_, ok := r.known[name]
	r.mu.Unlock()
	if !ok {
		http.Head(name) //ask lock-held-io: contradicts no lock that afterwards takes is held
	}
}

func (r *rates) inGoroutine(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	go func() {
		time.Sleep(time.Second) //ask lock-held-io: silent
	}()
	r.known[name]++
}

func (r *rates) synced(b []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.file.Write(b)
	if err == nil {
		err = r.file.Sync()
	}
	return err //ask lock-contention: confirms is held over r.file.Sync
}

func (r *rates) sum() (s float64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, v := range r.known {
		s += v
	}
	return s //ask lock-contention: confirms is held over the loop at
}

func (r *rates) get(name string) float64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.known[name] //ask lock-contention: adds held for short
}

func (r *rates) left(name string) float64 {
	r.mu.Lock()
	v, ok := r.known[name] //ask lock-never-released: confirms the return at :\d+ leaves r.mu locked
	if !ok {
		return 0
	}
	r.mu.Unlock()
	return v
}

type account struct {
	mu    sync.Mutex
	money int
}

func (a *account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.money += n
}

func (a *account) give(to *account, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	to.add(n) //ask goroutine-deadlock: confirms takes to.mu .* while a.mu is held
	a.money -= n
}

func (a *account) twice(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(n) //ask goroutine-deadlock: confirms takes a.mu again
}

func (a *account) apart(to *account, n int) {
	a.mu.Lock()
	a.money -= n
	a.mu.Unlock()
	to.add(n) //ask goroutine-deadlock: silent
}

func (r *rates) copyOut(w io.Writer, name string) {
	r.mu.RLock()
	v := r.known[name]
	r.mu.RUnlock()
	if v > 0 {
		io.WriteString(w, name) //ask lock-held-io: contradicts no lock
	}
}
