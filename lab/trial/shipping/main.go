// Shipping makes labels for parcels; the carrier's service numbers them.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type parcel struct {
	Order   string `json:"order"`
	Country string `json:"country"`
	Grams   int    `json:"grams"`
}

type server struct {
	env    *kit.Env
	labels *labelClient
}

func (s *server) label(w http.ResponseWriter, r *http.Request) {
	var p parcel
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&p); err != nil {
		http.Error(w, "not a parcel", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	number, err := s.labels.number(ctx, p)
	if err != nil {
		s.env.Log.Warn("numbering a parcel", "order", p.Order, "error", err)
		http.Error(w, "no number to be had", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"order": p.Order, "number": number})
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, labels: newLabelClient(env.Backend)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /labels", s.label)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("shipping")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
