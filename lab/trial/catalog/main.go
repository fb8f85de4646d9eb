// Catalog shows products, which it gets from the service behind it and keeps for a while.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	env   *kit.Env
	cache *lru
	fetch *fetcher
}

func (s *server) product(ctx context.Context, id string) (*product, error) {
	if p, ok := s.cache.get(id); ok {
		return p, nil
	}
	p, err := s.fetch.product(ctx, id)
	if err != nil {
		return nil, err
	}
	s.cache.put(id, p)
	return p, nil
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	p, err := s.product(ctx, r.PathValue("id"))
	switch {
	case errors.Is(err, context.Canceled):
		return
	case err != nil:
		s.env.Log.Error("getting a product", "id", r.PathValue("id"), "error", err)
		http.Error(w, "not available", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(p)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, cache: newLRU(20_000), fetch: newFetcher(env.Backend)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/{id}", s.get)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("catalog")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
