package shop

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
)

// Pages is a cache of rendered pages with a fixed number of places: a page's number decides its place, and a newer page
// takes it over. So it needs no lock, no list and no bookkeeping, and can never grow.
type pages struct {
	places []atomic.Pointer[page]
}

type page struct {
	id   int
	html []byte
}

func newPages(n int) *pages { return &pages{places: make([]atomic.Pointer[page], n)} }

func (p *pages) get(id int) *page {
	if at := p.places[id%len(p.places)].Load(); at != nil && at.id == id {
		return at
	}
	return nil
}

func (p *pages) put(made *page) { p.places[made.id%len(p.places)].Store(made) }

// popular is how many products have a page that people ask for.
const popular = 600

// page answers with a product's page, mostly from the cache.
func (s *Shop) page(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("id"))
	if err != nil || n < 0 {
		http.Error(w, "id wants a number from 0", http.StatusBadRequest)
		return
	}
	id := n % popular
	made := s.pages.get(id)
	if made == nil {
		made = &page{id, render(s.catalog.products[id])}
		s.pages.put(made)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(made.html) // a client that is gone needs no answer
}

func render(p product) []byte {
	return fmt.Appendf(nil, "<!doctype html><title>%s</title><h1>%s</h1><p>%d.%02d</p>", p.Name, p.Name, p.Cents/100,
		p.Cents%100)
}
