package main

import (
	"fmt"
	"strings"
	"sync"
)

// A product is a row of the catalogue, which is held in memory.
type product struct {
	sku, name, text string
	cents           int
}

// loadProducts stands for reading the catalogue at the start: 30 MiB.
func loadProducts() map[string]product {
	products := make(map[string]product, 30_000)
	for i := range 30_000 {
		sku := fmt.Sprintf("sku-%d", i)
		text := strings.Repeat("words about it ", 60)
		products[sku] = product{sku: sku, name: "product " + sku, text: text, cents: 100 + i%5000}
	}
	return products
}

type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	Cents    int    `json:"cents"`
}

type order struct {
	ID    string `json:"id"`
	Note  string `json:"note"`
	Lines []line `json:"lines"`
}

func (o *order) total() (cents int) {
	for _, l := range o.Lines {
		cents += l.Quantity * l.Cents
	}
	return cents
}

// maxOpen bounds the orders whose state is held here; older ones are in the warehouse.
const maxOpen = 5000

// A store has the open orders.
type store struct {
	products map[string]product

	mu     sync.Mutex // guards what follows
	states map[string]string
	order  []string // the ids, oldest first
}

func newStore(products map[string]product) *store {
	return &store{products: products, states: make(map[string]string)}
}

func (s *store) put(o *order) {
	for i := range o.Lines {
		if p, ok := s.products[o.Lines[i].SKU]; ok {
			o.Lines[i].Cents = p.cents
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.states[o.ID]; !known {
		s.order = append(s.order, o.ID)
	}
	s.states[o.ID] = "open"
	if len(s.order) > maxOpen {
		delete(s.states, s.order[0])
		s.order = s.order[1:]
	}
}

func (s *store) state(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, ok := s.states[id]
	return state, ok
}
