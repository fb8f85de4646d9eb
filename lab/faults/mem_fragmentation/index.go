// Package mem_fragmentation makes an index of an import.
//
// The fault: what the index keeps was allocated among all that was read, a few objects in every page of memory.
package mem_fragmentation

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

type record struct {
	id int
	_  [240]byte // its text
}

// An Index has some of the records of an import.
type Index struct {
	records int
	keepOf  int // of so many records one is kept
	compact bool

	kept atomic.Pointer[[]*record]
}

// parse makes a record of a line of the import.
func parse(line int) *record { return &record{id: line} }

// load imports the records, keeps some, and gives back the memory that it can.
func (x *Index) load(context.Context) {
	all := make([]*record, x.records)
	for i := range all {
		all[i] = parse(i)
	}
	kept := make([]*record, 0, x.records/x.keepOf+1)
	for i := 0; i < len(all); i += x.keepOf {
		kept = append(kept, all[i])
	}
	if x.compact {
		kept = together(kept)
	}
	x.kept.Store(&kept)
	debug.FreeOSMemory()
}

// together copies the records side by side.
func together(from []*record) []*record {
	block := make([]record, len(from))
	to := make([]*record, len(from))
	for i, r := range from {
		block[i] = *r
		to[i] = &block[i]
	}
	return to
}

// ServeHTTP answers with the number of records.
func (x *Index) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := 0
	if kept := x.kept.Load(); kept != nil {
		n = len(*kept)
	}
	fmt.Fprint(w, n)
}

func service(records, keepOf int, compact bool) faults.Service {
	x := &Index{records: records, keepOf: keepOf, compact: compact}
	return faults.Service{Handler: x, Background: x.load, Load: []faults.Call{{Path: "/size", PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-fragmentation", Text: "every sixteenth record of an import stays, and with it the page it lies in",
		Culprit:  "mem_fragmentation.parse",
		Faulty:   func() faults.Service { return service(800_000, 16, false) },
		Repaired: func() faults.Service { return service(800_000, 16, true) },
		Limit:    func() faults.Service { return service(900_000, 2, false) },
		Warm:     15 * time.Second, Expvar: true,
	}
}
