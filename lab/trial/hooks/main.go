// Hooks takes events and posts them to the customers' webhooks.
package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	deliveries *deliveries
}

func (s *server) accept(w http.ResponseWriter, r *http.Request) {
	var e event
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&e); err != nil {
		http.Error(w, "not an event", http.StatusBadRequest)
		return
	}
	if !s.deliveries.enqueue(e) {
		http.Error(w, "too many events", http.StatusTooManyRequests)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func (s *server) stats(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(s.deliveries.counts())
}

func run(ctx context.Context, env *kit.Env) error {
	d := newDeliveries(env.Backend, env.Log)
	d.start(ctx, 8)
	s := &server{deliveries: d}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", s.accept)
	mux.HandleFunc("GET /stats", s.stats)
	return env.Serve(ctx, mux)
}

func main() {
	env := kit.Parse("hooks")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
