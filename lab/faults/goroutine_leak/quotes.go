// Package goroutine_leak asks several suppliers for a price and takes the first answer.
//
// The fault: the answers go over a channel without room, so every supplier but the first blocks on its send for ever.
package goroutine_leak

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Quotes asks suppliers.
type Quotes struct {
	suppliers int
	room      int // of the channel of answers
	every     int // asks more than one supplier for every so many requests only
}

// ask sends the price of one supplier.
func (q *Quotes) ask(supplier int, prices chan<- int) {
	time.Sleep(time.Duration(supplier+1) * 3 * time.Millisecond)
	prices <- 100 + supplier
}

// first is the price that comes first.
func (q *Quotes) first(suppliers int) int {
	prices := make(chan int, q.room)
	for s := range suppliers {
		go q.ask(s, prices)
	}
	return <-prices
}

// ServeHTTP answers with a price.
func (q *Quotes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := 1
	var i int
	if fmt.Sscan(r.FormValue("i"), &i); i%q.every == 0 {
		n = q.suppliers
	}
	fmt.Fprint(w, q.first(n))
}

func service(room, every int) faults.Service {
	q := &Quotes{suppliers: 3, room: room, every: every}
	return faults.Service{Handler: q, Load: []faults.Call{{Path: "/quote?i=%d", PerSecond: 40}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-leak", Text: "all but the first of three askers block on a channel without room",
		Culprit:  "goroutine_leak.(*Quotes).ask",
		Faulty:   func() faults.Service { return service(0, 1) },
		Repaired: func() faults.Service { return service(3, 1) },
		Limit:    func() faults.Service { return service(0, 180) },
		Twice:    55 * time.Second,
	}
}
