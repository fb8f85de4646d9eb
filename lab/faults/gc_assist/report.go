// Package gc_assist makes reports over a tree of half a million nodes.
//
// The fault: a report makes an object for every row, all requests at once, faster than the collector marks the tree.
package gc_assist

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

type node struct {
	left, right *node
	value       int
}

func grow(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{grow(depth - 1), grow(depth - 1), depth}
}

type row struct {
	at    *node
	cells [4]*int
}

// A Report is made of a tree.
type Report struct {
	once  sync.Once
	tree  *node
	rows  int
	reuse bool
	pool  sync.Pool
}

func (r *Report) root() *node {
	r.once.Do(func() { r.tree = grow(19) })
	return r.tree
}

// make collects the rows of a report.
func (r *Report) make() int {
	var rows []*row
	at := r.root()
	for i := range r.rows {
		if at = next(at, i); at == nil {
			at = r.root()
		}
		value := at.value
		rows = append(rows, &row{at: at, cells: [4]*int{&value}})
	}
	return len(rows)
}

// makeReused collects them into memory of the last report.
func (r *Report) makeReused() int {
	rows, _ := r.pool.Get().(*[]row)
	if rows == nil {
		rows = new([]row)
	}
	*rows = (*rows)[:0]
	at := r.root()
	for i := range r.rows {
		if at = next(at, i); at == nil {
			at = r.root()
		}
		*rows = append(*rows, row{at: at, cells: [4]*int{&at.value}})
	}
	n := len(*rows)
	r.pool.Put(rows)
	return n
}

func next(n *node, i int) *node {
	if i&1 == 0 {
		return n.left
	}
	return n.right
}

// ServeHTTP answers with the number of rows.
func (r *Report) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if r.reuse {
		fmt.Fprint(w, r.makeReused())
		return
	}
	fmt.Fprint(w, r.make())
}

func service(rows int, reuse bool) faults.Service {
	return faults.Service{Handler: &Report{rows: rows, reuse: reuse},
		Load: []faults.Call{{Path: "/report", PerSecond: 80}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-assist", Text: "reports make objects faster than the collector marks a tree of half a million nodes",
		Culprit:  "gc_assist.(*Report).make",
		Faulty:   func() faults.Service { return service(25_000, false) },
		Repaired: func() faults.Service { return service(25_000, true) },
		Limit:    func() faults.Service { return service(6_000, false) },
		Env:      []string{"GOGC=50"},
	}
}
