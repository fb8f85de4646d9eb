package shop

import (
	"context"
	"encoding/json"
	"net/http"
)

// workers is how many orders are worked on at once.
const workers = 4

// maxOrder bounds the body of an order, in bytes.
const maxOrder = 4 << 10

type order struct {
	Product int `json:"product"`
	Count   int `json:"count"`
}

// Orders is a queue of bounded length before a fixed number of workers. When it is full, the caller is told so.
type orders struct {
	queue chan order
}

func newOrders(room int) *orders { return &orders{queue: make(chan order, room)} }

// work takes orders until ctx ends.
func (o *orders) work(ctx context.Context, sold *ranking) {
	for {
		select {
		case <-ctx.Done():
			return
		case next := <-o.queue:
			sold.add(next.Product, next.Count)
		}
	}
}

// order takes an order, or says that there are too many.
func (s *Shop) order(w http.ResponseWriter, r *http.Request) {
	var next order
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder)).Decode(&next)
	if err != nil || next.Product < 0 || next.Product >= len(s.catalog.products) || next.Count < 1 {
		http.Error(w, "an order wants a product and a count", http.StatusBadRequest)
		return
	}
	select {
	case s.orders.queue <- next:
		w.WriteHeader(http.StatusAccepted)
	default:
		http.Error(w, "too many orders; try again", http.StatusServiceUnavailable)
	}
}
