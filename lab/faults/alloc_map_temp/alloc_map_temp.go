// Package alloc_map_temp counts the distinct products of orders.
//
// The fault: each order gets a map of its own.
package alloc_map_temp

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Desk has orders, each a list of product numbers.
type Desk struct {
	orders   [][]int
	distinct func(order []int) int
}

func newDesk(orders, products int, distinct func([]int) int) *Desk {
	d := &Desk{distinct: distinct}
	for i := range orders {
		o := make([]int, products)
		for j := range o {
			o[j] = (i + j*j) % (products * 3 / 4)
		}
		d.orders = append(d.orders, o)
	}
	return d
}

// ServeHTTP answers with the sum over all orders.
func (d *Desk) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sum := 0
	for _, o := range d.orders {
		sum += d.distinct(o)
	}
	io.WriteString(w, strconv.Itoa(sum))
}

func countDistinct(order []int) int {
	seen := make(map[int]bool)
	for _, p := range order {
		seen[p] = true
	}
	return len(seen)
}

// sortDistinct works in memory that calls hand to each other.
func sortDistinct() func(order []int) int {
	pool := sync.Pool{New: func() any { return new([]int) }}
	return func(order []int) int {
		kept := pool.Get().(*[]int)
		defer pool.Put(kept)
		*kept = append((*kept)[:0], order...)
		slices.Sort(*kept)
		n := 0
		for i, p := range *kept {
			if i == 0 || p != (*kept)[i-1] {
				n++
			}
		}
		return n
	}
}

func service(orders, products int, distinct func([]int) int, perSecond float64) faults.Service {
	return faults.Service{Handler: newDesk(orders, products, distinct),
		Load: []faults.Call{{Path: "/distinct", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-map-temp", Text: "a map is made for every order to count its products",
		Culprit:  "alloc_map_temp.countDistinct",
		Faulty:   func() faults.Service { return service(20, 100, countDistinct, 3000) },
		Repaired: func() faults.Service { return service(20, 100, sortDistinct(), 1500) },
		Limit:    func() faults.Service { return service(8, 100, countDistinct, 1500) },
	}
}
