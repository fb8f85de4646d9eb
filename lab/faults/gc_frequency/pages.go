// Package gc_frequency renders pages from a catalog of some MB.
//
// The fault: every page takes its scratch memory anew, so that a heap of some MB is filled many times a second.
package gc_frequency

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

type item struct {
	name string
	next *item
}

// A Renderer renders pages of its items.
type Renderer struct {
	items  *item
	blocks int
	size   int        // of a block; not a constant, or it would lie on the stack
	pool   *sync.Pool // nil takes memory anew
}

const blockSize = 8 << 10

func newRenderer(items, blocks int, pooled bool) *Renderer {
	r := &Renderer{blocks: blocks, size: blockSize}
	for i := range items {
		r.items = &item{name: "item " + strconv.Itoa(i), next: r.items}
	}
	if pooled {
		r.pool = &sync.Pool{New: func() any { b := make([]byte, blockSize); return &b }}
	}
	return r
}

// page renders, a block of scratch memory a section.
func (r *Renderer) page(w http.ResponseWriter) {
	sum := 0
	for i := range r.blocks {
		block := make([]byte, r.size)
		sum += fill(block, i)
	}
	fmt.Fprint(w, sum)
}

// pagePooled renders with scratch memory that is used again.
func (r *Renderer) pagePooled(w http.ResponseWriter) {
	sum := 0
	for i := range r.blocks {
		block := r.pool.Get().(*[]byte)
		sum += fill(*block, i)
		r.pool.Put(block)
	}
	fmt.Fprint(w, sum)
}

func fill(block []byte, seed int) (sum int) {
	for i := 0; i < len(block); i += 64 {
		block[i] = byte(i + seed)
		sum += int(block[i])
	}
	return sum
}

// ServeHTTP answers with a page.
func (r *Renderer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if r.pool != nil {
		r.pagePooled(w)
		return
	}
	r.page(w)
}

func service(blocks int, pooled bool) faults.Service {
	return faults.Service{Handler: newRenderer(120_000, blocks, pooled),
		Load: []faults.Call{{Path: "/page", PerSecond: 250}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-frequency", Text: "each page takes 800 kB of scratch memory beside a live heap of 6 MB",
		Culprit:  "gc_frequency.(*Renderer).page",
		Faulty:   func() faults.Service { return service(100, false) },
		Repaired: func() faults.Service { return service(100, true) },
		Limit:    func() faults.Service { return service(30, false) },
	}
}
