// Checkout prices a basket: its goods by our own table, the shipping by the carrier's service.
package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type item struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	Grams    int    `json:"grams"`
}

type basket struct {
	Country string `json:"country"`
	Items   []item `json:"items"`
}

type server struct {
	env     *kit.Env
	carrier *carrier
	prices  map[string]int
}

func (s *server) price(w http.ResponseWriter, r *http.Request) {
	var b basket
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&b); err != nil {
		http.Error(w, "not a basket", http.StatusBadRequest)
		return
	}
	cents, grams := 0, 0
	for _, it := range b.Items {
		cents += it.Quantity * s.prices[it.SKU]
		grams += it.Quantity * it.Grams
	}
	shipping, err := s.carrier.shipping(b.Country, grams)
	if err != nil {
		s.env.Log.Error("asking the carrier", "country", b.Country, "error", err)
		http.Error(w, "shipping is not known", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]int{"goods": cents, "shipping": shipping, "total": cents + shipping})
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, carrier: &carrier{url: env.Backend}, prices: map[string]int{"a": 199, "b": 499, "c": 2599}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /baskets/price", s.price)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("checkout")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
