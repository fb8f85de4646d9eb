// Export gives customers their data as they like it: fields renamed, hidden and added by the customer's profile.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	env      *kit.Env
	items    []item
	profiles map[string]profile
}

func (s *server) export(w http.ResponseWriter, r *http.Request) {
	p, ok := s.profiles[r.PathValue("customer")]
	if !ok {
		p = s.profiles["default"]
	}
	from, _ := strconv.Atoi(r.FormValue("from"))
	from = max(0, from) % len(s.items)
	page := s.items[from:min(from+500, len(s.items))]
	out, err := shape(page, p)
	if err != nil {
		s.env.Log.Error("shaping an export", "error", err)
		http.Error(w, "cannot export", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, items: sampleItems(5000), profiles: map[string]profile{
		"default": {Hide: []string{"cost"}},
		"acme": {Rename: map[string]string{"sku": "artikel", "name": "bezeichnung"}, Hide: []string{"cost"},
			Add: map[string]any{"source": "export"}},
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /export/{customer}", s.export)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("export")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
