// Geo says in which delivery zone a place lies, and how long a delivery takes.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	zones *zones
	cache *cache
}

func (s *server) zone(w http.ResponseWriter, r *http.Request) {
	lat, err1 := strconv.ParseFloat(r.FormValue("lat"), 64)
	lon, err2 := strconv.ParseFloat(r.FormValue("lon"), 64)
	if err1 != nil || err2 != nil {
		http.Error(w, "lat and lon must be numbers", http.StatusBadRequest)
		return
	}
	key := r.URL.Query().Encode()
	answer, ok := s.cache.get(key)
	if !ok {
		answer = s.zones.find(lat, lon)
		s.cache.put(key, answer)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{zones: newZones(), cache: newCache(30 * time.Second)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /zone", s.zone)
	return env.Serve(ctx, mux)
}

func main() {
	env := kit.Parse("geo")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
