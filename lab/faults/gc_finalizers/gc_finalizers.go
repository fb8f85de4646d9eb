// Package gc_finalizers reads pages of a table through cursors.
//
// The fault: cursors are not closed but given back by their finalizers, thousands a second.
package gc_finalizers

import (
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Table is read through cursors.
type Table struct {
	rows    [1024]int
	open    atomic.Int64 // cursors
	cursors int          // of a request
	read    func(t *Table, from int) int
}

type cursor struct {
	of *Table
	at int
}

func (c *cursor) next() int {
	c.at++
	return c.of.rows[c.at%len(c.of.rows)]
}

// close gives the cursor back.
func (c *cursor) close() { c.of.open.Add(-1) }

func (t *Table) cursor(from int) *cursor {
	t.open.Add(1)
	return &cursor{t, from}
}

// forget reads through a cursor that its finalizer closes.
func (t *Table) forget(from int) int {
	c := t.cursor(from)
	runtime.SetFinalizer(c, (*cursor).close)
	return c.next() + c.next()
}

// finish reads through a cursor that it closes.
func (t *Table) finish(from int) int {
	c := t.cursor(from)
	defer c.close()
	return c.next() + c.next()
}

// ServeHTTP answers with the sum of some rows.
func (t *Table) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sum := 0
	for i := range t.cursors {
		sum += t.read(t, i)
	}
	fmt.Fprint(w, sum)
}

func service(cursors int, read func(*Table, int) int) faults.Service {
	t := &Table{cursors: cursors, read: read}
	for i := range t.rows {
		t.rows[i] = i * 7919 % 1021
	}
	return faults.Service{Handler: t, Load: []faults.Call{{Path: "/sum", PerSecond: 500}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-finalizers", Text: "cursors are closed by their finalizers",
		Culprit:  "gc_finalizers.(*Table).forget",
		Faulty:   func() faults.Service { return service(400, (*Table).forget) },
		Repaired: func() faults.Service { return service(400, (*Table).finish) },
		Limit:    func() faults.Service { return service(170, (*Table).forget) },
	}
}
