// Package gomaxprocs_mismatch packs orders into boxes.
//
// The fault: the program sets GOMAXPROCS to 1, which was right for the instances that it first ran on. Orders wait for
// the one processor, and the other CPUs have nothing to do.
package gomaxprocs_mismatch

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Packer knows the weights of articles, in grams.
type Packer struct{ weights []int }

func newPacker(articles int) *Packer {
	p := &Packer{}
	for i := range articles {
		p.weights = append(p.weights, 120+i*389%1900)
	}
	return p
}

const box = 30_000 // grams

// fill is the weight of the fullest box that the articles of an order make (a knapsack).
func (p *Packer) fill(order int) int {
	best := make([]bool, box+1)
	best[0] = true
	for i := range p.weights {
		weight := p.weights[i] + order%17
		for at := box; at >= weight; at-- {
			best[at] = best[at] || best[at-weight]
		}
	}
	for at := box; ; at-- {
		if best[at] {
			return at
		}
	}
}

// ServeHTTP answers with the weight of an order's fullest box.
func (p *Packer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	order, err := strconv.Atoi(r.URL.Query().Get("order"))
	if err != nil {
		http.Error(w, "no order", http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, p.fill(order))
}

// onOne lets the program run on one processor until ctx ends.
func onOne(ctx context.Context) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	<-ctx.Done()
}

func service(set func(context.Context), perSecond float64) faults.Service {
	return faults.Service{Handler: newPacker(800), Background: set,
		Load: []faults.Call{{Path: "/box?order=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gomaxprocs-mismatch", Text: "orders wait for one processor beside others that are idle",
		Culprit:  "gomaxprocs_mismatch.(*Packer).fill",
		Faulty:   func() faults.Service { return service(onOne, 55) },
		Repaired: func() faults.Service { return service(nil, 55) },
		Limit:    func() faults.Service { return service(onOne, 25) },
		Trace:    true,
	}
}
