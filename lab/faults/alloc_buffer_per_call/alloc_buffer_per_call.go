// Package alloc_buffer_per_call sends short answers, compressed.
//
// The fault: every answer gets a gzip.Writer of its own.
package alloc_buffer_per_call

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Answerer sends one text.
type Answerer struct {
	text string
	send func(w io.Writer, text string)
}

// ServeHTTP answers with the text.
func (a *Answerer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	a.send(w, a.text)
}

func compress(w io.Writer, text string) {
	zw := gzip.NewWriter(w)
	io.WriteString(zw, text)
	zw.Close()
}

func pooled() func(w io.Writer, text string) {
	writers := sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	return func(w io.Writer, text string) {
		zw := writers.Get().(*gzip.Writer)
		defer writers.Put(zw)
		zw.Reset(w)
		io.WriteString(zw, text)
		zw.Close()
	}
}

func service(send func(io.Writer, string), perSecond float64) faults.Service {
	return faults.Service{Handler: &Answerer{strings.Repeat("state ok; ", 60), send},
		Load: []faults.Call{{Path: "/state", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-buffer-per-call", Text: "a gzip.Writer is made for every answer",
		Culprit:  "alloc_buffer_per_call.compress",
		Faulty:   func() faults.Service { return service(compress, 1200) },
		Repaired: func() faults.Service { return service(pooled(), 1200) },
		Limit:    func() faults.Service { return service(compress, 60) },
	}
}
