// Pricing answers what a product costs. The price list comes as a feed and is read anew every so often.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

// refreshEvery is how old prices may be.
const refreshEvery = 25 * time.Second

type server struct {
	book *book
}

func (s *server) price(w http.ResponseWriter, r *http.Request) {
	price, ok := s.book.price(r.PathValue("sku"), r.FormValue("country"))
	if !ok {
		http.Error(w, "no price", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"sku": r.PathValue("sku"), "cents": price})
}

func refresh(ctx context.Context, env *kit.Env, b *book) {
	ticker := time.NewTicker(refreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			start := time.Now()
			if err := b.refresh(ctx); err != nil {
				env.Log.Error("refreshing prices", "error", err)
				continue
			}
			env.Log.Info("prices are fresh", "took", time.Since(start))
		}
	}
}

func run(ctx context.Context, env *kit.Env) error {
	b := &book{feed: makeFeed(200_000)}
	if err := b.refresh(ctx); err != nil {
		return err
	}
	go refresh(ctx, env, b)
	s := &server{book: b}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /prices/{sku}", s.price)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("pricing")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
