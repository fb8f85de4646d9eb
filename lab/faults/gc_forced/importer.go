// Package gc_forced imports price lists.
//
// The fault: after each import it has the collector run, to give memory back to the system.
package gc_forced

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Importer takes lists.
type Importer struct {
	every int // imports between two collections; 0 forces none
	done  int
	gate  chan struct{} // one import at a time
	index map[string]int
}

// finish ends an import.
func (i *Importer) finish() {
	i.done++
	if i.every > 0 && i.done%i.every == 0 {
		debug.FreeOSMemory()
	}
}

// ServeHTTP imports a list.
func (i *Importer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	i.gate <- struct{}{}
	defer func() { <-i.gate }()
	list := make([]int, 0, 50_000)
	for n := range cap(list) {
		list = append(list, n)
	}
	i.finish()
	fmt.Fprint(w, len(list)+len(i.index))
}

func service(every int, perSecond float64) faults.Service {
	i := &Importer{every: every, gate: make(chan struct{}, 1), index: make(map[string]int)}
	for n := range 100_000 {
		i.index[fmt.Sprint("article ", n)] = n
	}
	return faults.Service{Handler: i, Load: []faults.Call{{Path: "/import", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-forced", Text: "each import ends with debug.FreeOSMemory, ten times a second",
		Culprit:  "gc_forced.(*Importer).finish",
		Faulty:   func() faults.Service { return service(1, 10) },
		Repaired: func() faults.Service { return service(0, 10) },
		Limit:    func() faults.Service { return service(1, 4) },
	}
}
