// Titles is a small search index: documents come in by HTTP, their titles can be searched.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

// Entry is what stays of a document.
type Entry struct {
	Title []byte
	Sum   uint32
}

// Index keeps the last n entries.
type Index struct {
	mu   sync.RWMutex
	ring []Entry
	next int
}

func NewIndex(n int) *Index { return &Index{ring: make([]Entry, n)} }

func (ix *Index) put(e Entry) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.ring[ix.next] = e
	ix.next = (ix.next + 1) % len(ix.ring)
}

func (ix *Index) find(word []byte) (n int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, e := range ix.ring {
		if bytes.Contains(e.Title, word) {
			n++
		}
	}
	return n
}

func title(doc []byte) []byte {
	_, rest, ok := bytes.Cut(doc, []byte("<title>"))
	if !ok {
		return nil
	}
	t, _, _ := bytes.Cut(rest, []byte("</title>"))
	return t
}

func (ix *Index) add(w http.ResponseWriter, r *http.Request) {
	doc, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ix.put(Entry{title(doc), crc32.ChecksumIEEE(doc)})
	w.WriteHeader(http.StatusCreated)
}

func (ix *Index) search(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, ix.find([]byte(r.FormValue("q"))))
}

func load(base string) {
	text := strings.Repeat("<p>All that is gold does not glitter.</p>", 600)
	t := time.NewTicker(3 * time.Millisecond)
	for i := 0; ; i++ {
		<-t.C
		doc := fmt.Sprintf("<html><title>Document %d on %s</title>%s", i, []string{"rowing", "wool", "tea"}[i%3], text)
		if res, err := http.Post(base+"/add", "text/html", strings.NewReader(doc)); err == nil {
			res.Body.Close()
		}
		if i%2 == 0 {
			if res, err := http.Get(base + "/search?q=wool"); err == nil {
				res.Body.Close()
			}
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	ix := NewIndex(10000)
	http.HandleFunc("POST /add", ix.add)
	http.HandleFunc("GET /search", ix.search)
	log.Fatal(http.ListenAndServe(addr, nil))
}
