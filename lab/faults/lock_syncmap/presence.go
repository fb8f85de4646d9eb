// Package lock_syncmap notes when each guest was last seen.
//
// The fault: a sync.Map, which is made for reading, is written for every sign of life.
package lock_syncmap

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// guests is how many there are. They are numbered.
const guests = 20_000

// Presence knows when guests were last seen.
type Presence struct {
	batch  int  // signs of life a request
	places bool // a place for each guest in place of a map

	seen sync.Map // guest → time.Time
	last [guests]atomic.Int64
}

// note notes a sign of life.
func (p *Presence) note(guest int, at time.Time) { p.seen.Store(guest, at) }

// notePlace does so in the guest's place.
func (p *Presence) notePlace(guest int, at time.Time) { p.last[guest].Store(at.UnixNano()) }

// ServeHTTP takes a batch of signs of life.
func (p *Presence) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	first, err := strconv.Atoi(r.FormValue("first"))
	if err != nil || first < 0 {
		http.Error(w, "first wants a number from 0", http.StatusBadRequest)
		return
	}
	note := p.note
	if p.places {
		note = p.notePlace
	}
	now := time.Now()
	for i := range p.batch {
		note((first*p.batch+i)%guests, now)
	}
	fmt.Fprint(w, p.batch)
}

func service(batch int, places bool) faults.Service {
	return faults.Service{Handler: &Presence{batch: batch, places: places},
		Load: []faults.Call{{Path: "/alive?first=%d", PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "lock-syncmap", Text: "a sync.Map is written 600,000 times a second",
		Culprit:  "lock_syncmap.(*Presence).note",
		Faulty:   func() faults.Service { return service(6000, false) },
		Repaired: func() faults.Service { return service(6000, true) },
		Limit:    func() faults.Service { return service(1200, false) },
	}
}
