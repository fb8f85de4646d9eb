// Package cpu_linear_search answers which tariff a customer has.
//
// The fault: the customer is looked for in a list.
package cpu_linear_search

import (
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Directory lists customers.
type Directory struct {
	customers []customer
	byName    map[string]*customer
	tariff    func(d *Directory, name string) (*customer, bool)
}

type customer struct{ name, tariff string }

func newDirectory(n int, find func(*Directory, string) (*customer, bool)) *Directory {
	d := &Directory{byName: map[string]*customer{}, tariff: find}
	for i := range n {
		d.customers = append(d.customers, customer{"customer-" + strconv.Itoa(100_000+i),
			"tariff " + strconv.Itoa(i%7)})
	}
	for i := range d.customers {
		d.byName[d.customers[i].name] = &d.customers[i]
	}
	return d
}

// ServeHTTP answers with the tariff.
func (d *Directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i, _ := strconv.Atoi(r.URL.Query().Get("customer"))
	c, ok := d.tariff(d, "customer-"+strconv.Itoa(100_000+i*7919%len(d.customers)))
	if !ok {
		http.NotFound(w, r)
		return
	}
	io.WriteString(w, c.tariff)
}

func (d *Directory) walk(name string) (*customer, bool) {
	for i := range d.customers {
		if d.customers[i].name == name {
			return &d.customers[i], true
		}
	}
	return nil, false
}

func (d *Directory) lookUp(name string) (*customer, bool) {
	c, ok := d.byName[name]
	return c, ok
}

func service(n int, find func(*Directory, string) (*customer, bool), perSecond float64) faults.Service {
	return faults.Service{Handler: newDirectory(n, find),
		Load: []faults.Call{{Path: "/tariff?customer=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-linear-search", Text: "customers are looked for by name in a list",
		Culprit:  "cpu_linear_search.(*Directory).walk",
		Faulty:   func() faults.Service { return service(100_000, (*Directory).walk, 1000) },
		Repaired: func() faults.Service { return service(100_000, (*Directory).lookUp, 1000) },
		Limit:    func() faults.Service { return service(26_000, (*Directory).walk, 1000) },
	}
}
