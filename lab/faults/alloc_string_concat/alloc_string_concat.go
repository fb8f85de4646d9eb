// Package alloc_string_concat writes an export of orders as comma-separated values.
//
// The fault: the answer is put together with += on a string.
package alloc_string_concat

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Export is a table of orders.
type Export struct {
	rows  [][]string
	write func(rows [][]string) string
}

func newExport(n int, write func([][]string) string) *Export {
	e := &Export{write: write}
	for i := range n {
		e.rows = append(e.rows, []string{strconv.Itoa(1000 + i), "customer-" + strconv.Itoa(i%40),
			strconv.Itoa(i * 19 % 900), "paid"})
	}
	return e
}

// ServeHTTP answers with the table.
func (e *Export) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/csv")
	io.WriteString(w, e.write(e.rows))
}

// join adds each row to what there is, which copies all of it.
func join(rows [][]string) string {
	table := ""
	for _, r := range rows {
		table += strings.Join(r, ",") + "\n"
	}
	return table
}

// build writes each row once.
func build(rows [][]string) string {
	var b strings.Builder
	b.Grow(40 * len(rows))
	for _, r := range rows {
		for i, cell := range r {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func service(rows int, write func([][]string) string, perSecond float64) faults.Service {
	return faults.Service{Handler: newExport(rows, write), Load: []faults.Call{{Path: "/export", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-string-concat", Text: "an export is put together with += on a string",
		Culprit:  "alloc_string_concat.join",
		Faulty:   func() faults.Service { return service(500, join, 500) },
		Repaired: func() faults.Service { return service(500, build, 500) },
		Limit:    func() faults.Service { return service(60, join, 900) },
	}
}
