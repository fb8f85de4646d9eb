// Package cpu_copy keeps the last readings of a sensor.
//
// The fault: a new reading is put in front, which moves all others.
package cpu_copy

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Recorder keeps readings, the newest first.
type Recorder struct {
	mu       sync.Mutex
	readings []reading
	next     int // of the ring, where the oldest is overwritten
	batch    int
	put      func(r *Recorder, x reading)
}

type reading struct {
	at, value float64
	_         [6]uint64 // which sensor, and what it says of itself: nobody asks here
}

// ServeHTTP takes a batch of readings.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.batch {
		r.put(r, reading{at: float64(i), value: 21.5})
	}
	io.WriteString(w, strconv.Itoa(len(r.readings)))
}

func (r *Recorder) putFront(x reading) {
	r.readings = slices.Insert(r.readings[:len(r.readings)-1], 0, x)
}

func (r *Recorder) putRing(x reading) {
	r.readings[r.next] = x
	r.next = (r.next + 1) % len(r.readings)
}

func service(kept, batch int, put func(*Recorder, reading), perSecond float64) faults.Service {
	r := &Recorder{readings: make([]reading, kept), batch: batch, put: put}
	return faults.Service{Handler: r, Load: []faults.Call{{Method: http.MethodPost, Path: "/readings",
		PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-copy", Text: "each reading is put in front of a long slice",
		Culprit:  "cpu_copy.(*Recorder).putFront",
		Faulty:   func() faults.Service { return service(10_000, 20, (*Recorder).putFront, 800) },
		Repaired: func() faults.Service { return service(10_000, 20, (*Recorder).putRing, 800) },
		Limit:    func() faults.Service { return service(5_000, 20, (*Recorder).putFront, 900) },
	}
}
