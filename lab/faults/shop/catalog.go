package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// A product is one line of the catalogue.
type product struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

// A catalog does not change once it is made, so that it needs no lock.
type catalog struct {
	products []product
	buffers  sync.Pool // of *bytes.Buffer
}

func newCatalog(n int) *catalog {
	colours := [...]string{"red", "green", "blue", "white", "black", "grey"}
	woods := [...]string{"oak", "ash", "beech", "pine", "steel"}
	things := [...]string{"chair", "table", "lamp", "shelf", "bed", "desk", "stool"}
	c := &catalog{products: make([]product, n), buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	for i := range c.products {
		name := fmt.Sprintf("%s %s %s %d", colours[i%len(colours)], woods[i%len(woods)], things[i%len(things)], i)
		c.products[i] = product{ID: i, Name: name, Cents: 999 + 7*i}
	}
	return c
}

// pageSize is how many products one answer lists.
const pageSize = 8

// listProducts answers with one page of the catalogue as JSON.
func (s *Shop) listProducts(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("page"))
	if err != nil || n < 0 {
		http.Error(w, "page wants a number from 0", http.StatusBadRequest)
		return
	}
	first := n * pageSize % len(s.catalog.products)
	last := min(first+pageSize, len(s.catalog.products))
	s.catalog.answer(w, s.catalog.products[first:last])
}

// answer encodes into a buffer that is used again, so that the answer goes out in one write and an error can still be
// said.
func (c *catalog) answer(w http.ResponseWriter, v any) {
	b := c.buffers.Get().(*bytes.Buffer)
	defer c.buffers.Put(b)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		http.Error(w, "the answer could not be encoded", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.Write(b.Bytes()) // a client that is gone needs no answer
}
