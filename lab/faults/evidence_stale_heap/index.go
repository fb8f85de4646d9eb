// Package evidence_stale_heap keeps the documents that were looked at, with the collector switched off after the start,
// as is done with GOGC=off below a memory limit.
//
// The fault is the evidence's: a heap profile shows what was live at the end of the last collection. That was right
// after the start, and eight seconds later no document that it shows is still kept.
package evidence_stale_heap

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

const (
	documents = 4_000 // that are kept, the oldest goes first
	pageSize  = 8 << 10
)

// An Index keeps documents.
type Index struct {
	configure func()

	mu    sync.Mutex // guards what follows
	ready bool
	ring  [][]byte
	next  int
}

// load fills the index and sets the collector up, once the first request is there.
func (x *Index) load() {
	x.ring = make([][]byte, documents)
	for range documents {
		x.keep()
	}
	runtime.GC()
	runtime.GC() // the profile of a collection is published by the next
	x.configure()
}

func (x *Index) keep() {
	x.ring[x.next%documents] = make([]byte, pageSize)
	x.next++
}

// ServeHTTP looks at a document.
func (x *Index) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ready {
		x.load()
		x.ready = true
	}
	x.keep()
	fmt.Fprint(w, x.next)
}

// off switches the collector off up to a memory limit in MiB.
func off(limit int64) func() {
	return func() {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit << 20)
	}
}

func service(configure func()) faults.Service {
	return faults.Service{Handler: &Index{configure: configure},
		Load: []faults.Call{{Path: "/document", PerSecond: 500}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind:     "evidence-stale-heap",
		Text:     "GOGC=off below a memory limit that is not reached: no collection since the start",
		Faulty:   func() faults.Service { return service(off(8 << 10)) },
		Repaired: func() faults.Service { return service(func() {}) },
		Limit:    func() faults.Service { return service(off(160)) }, // it is reached every few seconds
	}
}
