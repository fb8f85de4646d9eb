// Package goroutine_churn adds up the weights of parcels.
//
// The fault: a goroutine for each parcel.
package goroutine_churn

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Depot has parcels.
type Depot struct {
	grams []int64
	add   func(grams []int64) int64
}

func newDepot(n int, add func([]int64) int64) *Depot {
	d := &Depot{add: add}
	for i := range n {
		d.grams = append(d.grams, int64(i*37%5000))
	}
	return d
}

// ServeHTTP answers with the weight of all parcels.
func (d *Depot) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.FormatInt(d.add(d.grams), 10))
}

func weighApart(grams []int64) int64 {
	var sum atomic.Int64
	var all sync.WaitGroup
	for _, g := range grams {
		all.Add(1)
		go func() {
			defer all.Done()
			sum.Add(g + g/10)
		}()
	}
	all.Wait()
	return sum.Load()
}

func weigh(grams []int64) (sum int64) {
	for _, g := range grams {
		sum += g + g/10
	}
	return sum
}

func service(n int, add func([]int64) int64, perSecond float64) faults.Service {
	return faults.Service{Handler: newDepot(n, add), Load: []faults.Call{{Path: "/weight", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-churn", Text: "a goroutine is started for each parcel of a sum",
		Culprit:  "goroutine_churn.weighApart",
		Faulty:   func() faults.Service { return service(700, weighApart, 1000) },
		Repaired: func() faults.Service { return service(700, weigh, 1000) },
		Limit:    func() faults.Service { return service(85, weighApart, 1000) },
	}
}
