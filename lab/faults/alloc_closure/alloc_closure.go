// Package alloc_closure values the goods of a warehouse.
//
// The fault: each rule that is applied to an item is a function literal made for that item.
package alloc_closure

import (
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Warehouse has goods.
type Warehouse struct {
	goods []good
	rules []func(cents int) int // of the last item that was valued
	value func(w *Warehouse, g *good) int
}

type good struct{ cents, count, discount int }

func newWarehouse(n int, value func(*Warehouse, *good) int) *Warehouse {
	w := &Warehouse{value: value}
	for i := range n {
		w.goods = append(w.goods, good{100 + i%900, 1 + i%7, i % 30})
	}
	return w
}

// ServeHTTP answers with the value of all goods.
func (w *Warehouse) ServeHTTP(out http.ResponseWriter, _ *http.Request) {
	one := &Warehouse{goods: w.goods, rules: make([]func(int) int, 3), value: w.value}
	sum := 0
	for i := range one.goods {
		sum += one.value(one, &one.goods[i])
	}
	io.WriteString(out, strconv.Itoa(sum))
}

func (w *Warehouse) byRules(g *good) int {
	w.rules[0] = func(cents int) int { return cents * g.count }
	w.rules[1] = func(cents int) int { return cents - cents*g.discount/100 }
	w.rules[2] = func(cents int) int { return cents + g.count%3 }
	cents := g.cents
	for _, r := range w.rules {
		cents = r(cents)
	}
	return cents
}

func (w *Warehouse) direct(g *good) int {
	cents := g.cents * g.count
	return cents - cents*g.discount/100 + g.count%3
}

func service(n int, value func(*Warehouse, *good) int, perSecond float64) faults.Service {
	return faults.Service{Handler: newWarehouse(n, value), Load: []faults.Call{{Path: "/value", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-closure", Text: "function literals are made for every item",
		Culprit:  "alloc_closure.(*Warehouse).byRules",
		Faulty:   func() faults.Service { return service(3000, (*Warehouse).byRules, 900) },
		Repaired: func() faults.Service { return service(3000, (*Warehouse).direct, 900) },
		Limit:    func() faults.Service { return service(500, (*Warehouse).byRules, 800) },
	}
}
