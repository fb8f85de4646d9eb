package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"
)

type watcher struct {
	shop *shopClient
	log  zerolog.Logger
}

// prices asks for all articles of a list at once: the shop allows fifty requests at a time.
func (wa *watcher) prices(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	wanted := skus(id)
	offers := make([]offer, len(wanted))
	g, ctx := errgroup.WithContext(r.Context())
	for i, sku := range wanted {
		g.Go(func() (err error) {
			offers[i], err = wa.shop.Offer(ctx, sku)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		wa.log.Warn().Err(err).Int("list", id).Msg("no prices")
		http.Error(w, "the shop does not answer", http.StatusBadGateway)
		return
	}
	sum := 0
	for _, o := range offers {
		sum += o.Price
	}
	writeJSON(w, map[string]any{"list": id, "sum": sum, "offers": offers})
}

func (wa *watcher) list(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, map[string]any{"list": id, "articles": skus(id)})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
