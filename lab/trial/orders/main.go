// Orders takes orders and answers what became of them.
package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

const maxOrder = 64 << 10 // bytes

// A server has the handlers.
type server struct {
	env   *kit.Env
	store *store
	audit *auditTrail
}

func (s *server) place(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOrder))
	if err != nil {
		http.Error(w, "cannot read the order", http.StatusBadRequest)
		return
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		http.Error(w, "not an order", http.StatusBadRequest)
		return
	}
	s.store.put(&o)
	s.audit.record(r.RemoteAddr, "placed", body)
	w.WriteHeader(http.StatusCreated)
	reply(w, map[string]any{"id": o.ID, "total": o.total()})
}

func (s *server) status(w http.ResponseWriter, r *http.Request) {
	state, ok := s.store.state(r.PathValue("id"))
	if !ok {
		http.Error(w, "no such order", http.StatusNotFound)
		return
	}
	reply(w, map[string]any{"id": r.PathValue("id"), "state": state})
}

// recent is for the support desk: the last events, newest first.
func (s *server) recent(w http.ResponseWriter, _ *http.Request) { reply(w, s.audit.last(20)) }

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.place)
	mux.HandleFunc("GET /orders/{id}", s.status)
	mux.HandleFunc("GET /admin/recent", s.recent)
	return mux
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, store: newStore(loadProducts()), audit: &auditTrail{now: time.Now}}
	return env.Serve(ctx, env.Instrument(s.routes()))
}

func main() {
	env := kit.Parse("orders")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
