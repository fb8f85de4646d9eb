// Package mem_off_heap makes thumbnails in memory of its own.
//
// The fault: the memory is mapped from the system and not given back.
package mem_off_heap

import (
	"fmt"
	"net/http"
	"syscall"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Arena maps memory.
type Arena struct {
	size    int
	frees   bool
	catalog [][]byte // memory that Go knows
}

// page maps memory, with its pages at once.
func (a *Arena) page() ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, a.size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes: %w", a.size, err)
	}
	return b, nil
}

// ServeHTTP makes a thumbnail.
func (a *Arena) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b, err := a.page()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
		return
	}
	if a.frees {
		syscall.Munmap(b)
	}
	fmt.Fprint(w, len(b))
}

func service(frees bool, catalog int, perSecond float64) faults.Service {
	a := &Arena{size: 512 << 10, frees: frees}
	for range catalog {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		a.catalog = append(a.catalog, block)
	}
	return faults.Service{Handler: a, Load: []faults.Call{{Path: "/thumb", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-off-heap", Text: "512 KiB are mapped 70 times a second and not given back",
		Culprit:  "mem_off_heap.(*Arena).page",
		Faulty:   func() faults.Service { return service(false, 0, 70) },
		Repaired: func() faults.Service { return service(true, 0, 70) },
		Limit:    func() faults.Service { return service(false, 350, 40) },
	}
}
