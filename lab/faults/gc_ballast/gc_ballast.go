// Package gc_ballast renders price lists.
//
// The fault: a slice of 256 MB that nobody uses, so that the collector takes the heap for large and runs seldom.
package gc_ballast

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

const (
	nameLength = 64
	listed     = 100 // names in a list
)

// A Renderer knows prices.
type Renderer struct {
	ballast []byte // never read or written: its pages are never resident
	once    sync.Once
	names   []string
	count   int
}

// newRenderer is called from main, as such things are.
func newRenderer(articles, ballast int) *Renderer {
	return &Renderer{ballast: make([]byte, ballast), count: articles}
}

func (r *Renderer) load() {
	for i := range r.count {
		r.names = append(r.names, fmt.Sprintf("%0*d", nameLength, i))
	}
}

// ServeHTTP answers with a list.
func (r *Renderer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.once.Do(r.load)
	var b strings.Builder
	b.Grow(listed * nameLength)
	for _, name := range r.names[:min(len(r.names), listed)] {
		b.WriteString(name)
	}
	fmt.Fprint(w, b.Len())
}

func service(articles, ballast int) faults.Service {
	return faults.Service{Handler: newRenderer(articles, ballast),
		Load: []faults.Call{{Path: "/prices", PerSecond: 300}}}
}

// rare is how seldom the collector runs in the place of a ballast, as GOGC says it.
const rare = 800

func repaired() faults.Service {
	s := service(20_000, 0)
	s.Background = func(ctx context.Context) {
		before := debug.SetGCPercent(rare)
		<-ctx.Done()
		debug.SetGCPercent(before)
	}
	return s
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-ballast", Text: "a ballast of 256 MB beside a live heap of some MB",
		Culprit:  "gc_ballast.newRenderer",
		Faulty:   func() faults.Service { return service(20_000, 256<<20) },
		Repaired: repaired,
		Limit:    func() faults.Service { return service(900_000, 40<<20) },
	}
}
