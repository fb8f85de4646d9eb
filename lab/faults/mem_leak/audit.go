// Package mem_leak keeps an audit of what was asked, for a page that shows the last entries.
//
// The fault: entries are added and never dropped.
package mem_leak

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

type entry struct {
	at   time.Time
	path string
	body []byte
}

// An Audit remembers requests.
type Audit struct {
	size int // bytes kept of each
	keep int // entries; 0 keeps all

	mu      sync.Mutex
	entries []*entry
	next    int
}

// remember adds a request.
func (a *Audit) remember(path string) {
	e := &entry{at: time.Now(), path: path, body: make([]byte, a.size)}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keep == 0 || len(a.entries) < a.keep {
		a.entries = append(a.entries, e)
		return
	}
	a.entries[a.next%a.keep] = e
	a.next++
}

// ServeHTTP answers with the number of entries.
func (a *Audit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.remember(r.URL.Path)
	a.mu.Lock()
	n := len(a.entries)
	a.mu.Unlock()
	fmt.Fprintf(w, "%d entries", n)
}

func service(size, keep int) faults.Service {
	return faults.Service{Handler: &Audit{size: size, keep: keep},
		Load: []faults.Call{{Path: "/order", PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-leak", Text: "an audit keeps 4 kB of every request for ever",
		Culprit:  "mem_leak.(*Audit).remember",
		Faulty:   func() faults.Service { return service(4096, 0) },
		Repaired: func() faults.Service { return service(4096, 500) },
		Limit:    func() faults.Service { return service(1100, 0) },
		Warm:     10 * time.Second, Twice: 61 * time.Second,
	}
}
