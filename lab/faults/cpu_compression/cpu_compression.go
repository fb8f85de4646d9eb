// Package cpu_compression serves a book, compressed.
//
// The fault: the same chapters are compressed anew, at the highest level, for every request.
package cpu_compression

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Book has chapters, and compressed ones where it keeps them.
type Book struct {
	chapters   [][]byte
	compressed [][]byte
	writers    sync.Pool
}

func newBook(chapters, paragraphs, level int) *Book {
	b := &Book{writers: sync.Pool{New: func() any {
		zw, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // the levels are constants
		}
		return zw
	}}}
	for i := range chapters {
		var c bytes.Buffer
		for j := range paragraphs {
			fmt.Fprintf(&c, "<p id=%q>On day %d the %d. ship left for harbour %d with %d bales of cloth.</p>\n",
				strconv.Itoa(i*j), i, j, i*j%17, i*31+j*7)
		}
		b.chapters = append(b.chapters, c.Bytes())
	}
	return b
}

// keep compresses every chapter once.
func (b *Book) keep() *Book {
	for _, c := range b.chapters {
		var z bytes.Buffer
		zw := gzip.NewWriter(&z)
		zw.Write(c)
		zw.Close()
		b.compressed = append(b.compressed, z.Bytes())
	}
	return b
}

// ServeHTTP answers with a chapter.
func (b *Book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.URL.Query().Get("chapter"))
	n %= len(b.chapters)
	w.Header().Set("Content-Encoding", "gzip")
	if b.compressed != nil {
		w.Write(b.compressed[n])
		return
	}
	b.compress(w, b.chapters[n])
}

func (b *Book) compress(w http.ResponseWriter, chapter []byte) {
	zw := b.writers.Get().(*gzip.Writer)
	defer b.writers.Put(zw)
	zw.Reset(w)
	zw.Write(chapter)
	zw.Close()
}

func service(b *Book, perSecond float64) faults.Service {
	return faults.Service{Handler: b, Load: []faults.Call{{Path: "/book?chapter=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-compression", Text: "chapters that do not change are compressed for every request",
		Culprit:  "cpu_compression.(*Book).compress",
		Faulty:   func() faults.Service { return service(newBook(20, 200, gzip.BestCompression), 400) },
		Repaired: func() faults.Service { return service(newBook(20, 200, gzip.BestCompression).keep(), 400) },
		Limit:    func() faults.Service { return service(newBook(20, 160, gzip.BestSpeed), 900) },
	}
}
