// Package cpu_logging prices shopping carts.
//
// The fault: every step of every item is logged.
package cpu_logging

import (
	"io"
	"log"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Till adds up the items of a cart.
type Till struct {
	items   []item
	log     *log.Logger
	verbose bool
}

type item struct {
	Name  string
	Cents int
	Count int
}

func newTill(n int, verbose bool) *Till {
	t := &Till{log: log.New(io.Discard, "till ", log.LstdFlags|log.Lmicroseconds|log.Lshortfile), verbose: verbose}
	t.log.SetOutput(sink{}) // log skips all work for io.Discard itself
	for i := range n {
		t.items = append(t.items, item{"item " + strconv.Itoa(i), 100 + i*13%900, 1 + i%3})
	}
	return t
}

// A sink takes what is written, as a pipe to a collector would.
type sink struct{}

func (sink) Write(p []byte) (int, error) { return len(p), nil }

// ServeHTTP answers with the sum.
func (t *Till) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sum := 0
	for i := range t.items {
		sum += t.price(&t.items[i])
	}
	t.log.Printf("cart of %d items: %d cents", len(t.items), sum)
	io.WriteString(w, strconv.Itoa(sum))
}

func (t *Till) price(it *item) int {
	cents := it.Cents * it.Count
	if t.verbose {
		t.log.Printf("item %+v: %d cents", *it, cents)
	}
	return cents
}

func service(n int, verbose bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newTill(n, verbose), Load: []faults.Call{{Path: "/cart", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-logging", Text: "each item of a cart is logged with its source position",
		Culprit:  "cpu_logging.(*Till).price",
		Faulty:   func() faults.Service { return service(200, true, 800) },
		Repaired: func() faults.Service { return service(200, false, 800) },
		Limit:    func() faults.Service { return service(20, true, 900) },
	}
}
