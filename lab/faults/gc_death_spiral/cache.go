// Package gc_death_spiral caches answers under a memory limit of 160 MiB.
//
// The fault: the cache takes nearly all of the limit, so that the collector has no room.
package gc_death_spiral

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

type answer struct {
	key   int
	words [12]*string
}

// A Cache holds answers, the oldest of which goes for a new one.
type Cache struct {
	mu      sync.Mutex
	entries []*answer
	next    int
}

// put stores an answer.
func (c *Cache) put(key int) {
	a := &answer{key: key}
	for i := range a.words {
		word := fmt.Sprint("w", key+i)
		a.words[i] = &word
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[c.next%len(c.entries)] = a
	c.next++
}

// fill puts answers until the cache is full.
func (c *Cache) fill(context.Context) {
	for i := range len(c.entries) {
		c.put(i)
	}
}

// ServeHTTP answers, and caches.
func (c *Cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scratch := make([]byte, 128<<10)
	for i := range 4 {
		c.put(i)
	}
	fmt.Fprint(w, len(scratch))
}

func service(entries int, perSecond float64) faults.Service {
	c := &Cache{entries: make([]*answer, entries)}
	return faults.Service{Handler: c, Background: c.fill, Load: []faults.Call{{Path: "/answer", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-death-spiral", Text: "a cache takes 135 MiB of a memory limit of 160 MiB",
		Culprit:  "gc_death_spiral.(*Cache).put",
		Faulty:   func() faults.Service { return service(270_000, 250) },
		Repaired: func() faults.Service { return service(120_000, 250) },
		Limit:    func() faults.Service { return service(245_000, 35) },
		Env:      []string{"GOMEMLIMIT=160MiB"},
	}
}
