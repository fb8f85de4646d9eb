// Package mem_subslice_retained remembers the numbers of the last orders, so that none is taken twice.
//
// The fault: the number is cut out of the order's body, and keeps the whole body alive.
package mem_subslice_retained

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// numberSize is the length of an order's number, which stands at its begin.
const numberSize = 10

// maxOrder bounds an order's body in bytes.
const maxOrder = 64 << 10

// Orders takes them.
type Orders struct {
	clone  bool
	images int // that the service holds beside, of imageSize each
	held   [][]byte

	mu   sync.Mutex
	last [][]byte // a ring; guarded by mu
	next int      // guarded by mu
}

const imageSize = 64 << 10

// read reads an order and returns its number.
func (o *Orders) read(body io.Reader) ([]byte, error) {
	all, err := io.ReadAll(body)
	if err != nil || len(all) < numberSize {
		return nil, fmt.Errorf("an order begins with its number: %d bytes, %w", len(all), err)
	}
	if o.clone {
		return bytes.Clone(all[:numberSize]), nil
	}
	return all[:numberSize], nil
}

// remember reports whether an order is new.
func (o *Orders) remember(number []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.last[:min(16, len(o.last))] {
		if bytes.Equal(n, number) {
			return false
		}
	}
	o.last[o.next%len(o.last)] = number
	o.next++
	return true
}

// ServeHTTP takes an order.
func (o *Orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, err := o.read(http.MaxBytesReader(w, r.Body, maxOrder))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, o.remember(number))
}

// hold makes the images.
func (o *Orders) hold(context.Context) {
	for range o.images {
		o.held = append(o.held, make([]byte, imageSize))
	}
}

func service(remembered, images int, clone bool) faults.Service {
	o := &Orders{clone: clone, images: images, last: make([][]byte, remembered)}
	body := bytes.Repeat([]byte("4711 red chair; "), 1250) // 20 kB
	number := func(i int) []byte {
		copy(body, fmt.Sprintf("%010d", i))
		return bytes.Clone(body)
	}
	return faults.Service{Handler: o, Background: o.hold,
		Load: []faults.Call{{Method: http.MethodPost, Path: "/order", Body: number, PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-subslice-retained", Text: "the numbers of the last 2,000 orders keep their bodies of 20 kB",
		Culprit:  "mem_subslice_retained.(*Orders).read",
		Faulty:   func() faults.Service { return service(2000, 100, false) },
		Repaired: func() faults.Service { return service(2000, 100, true) },
		Limit:    func() faults.Service { return service(900, 800, false) },
		Warm:     25 * time.Second,
	}
}
