// Reports answers questions about customers' sales from the database.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	env   *kit.Env
	sales *sales
}

func (s *server) total(w http.ResponseWriter, r *http.Request) {
	total, err := s.sales.total(r.PathValue("customer"))
	s.answer(w, map[string]any{"customer": r.PathValue("customer"), "total": total}, err)
}

func (s *server) largest(w http.ResponseWriter, r *http.Request) {
	sale, err := s.sales.firstAbove(r.PathValue("customer"), 500)
	s.answer(w, sale, err)
}

func (s *server) answer(w http.ResponseWriter, v any, err error) {
	switch {
	case errors.Is(err, errNoSale):
		http.Error(w, "no such sale", http.StatusNotFound)
	case err != nil:
		s.env.Log.Error("asking the database", "error", err)
		http.Error(w, "the database cannot be asked", http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
}

func run(ctx context.Context, env *kit.Env) error {
	sales, err := openSales(env.DB)
	if err != nil {
		return err
	}
	defer sales.db.Close()
	s := &server{env: env, sales: sales}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{customer}/total", s.total)
	mux.HandleFunc("GET /customers/{customer}/alert", s.largest)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("reports")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
