// Matcher finds drivers for a ride.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	finder *finder
}

func (s *server) match(w http.ResponseWriter, r *http.Request) {
	x, err1 := strconv.ParseFloat(r.FormValue("x"), 64)
	y, err2 := strconv.ParseFloat(r.FormValue("y"), 64)
	if err1 != nil || err2 != nil {
		http.Error(w, "x and y must be numbers", http.StatusBadRequest)
		return
	}
	found := s.finder.find(ride{X: x, Y: y, Seats: 1 + len(r.FormValue("with"))%4})
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{finder: newFinder(env.Log, 800)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /match", s.match)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("matcher")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
