// Notify keeps a session for each phone that is registered and pushes messages to it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	env *kit.Env
	hub *hub
}

// register is called by a phone's app when it comes to the foreground.
func (s *server) register(w http.ResponseWriter, r *http.Request) {
	s.hub.register(r.PathValue("device"))
	w.WriteHeader(http.StatusNoContent)
}

func (s *server) push(w http.ResponseWriter, r *http.Request) {
	var m message
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&m); err != nil {
		http.Error(w, "not a message", http.StatusBadRequest)
		return
	}
	if !s.hub.push(r.PathValue("device"), m) {
		http.Error(w, "not registered", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /devices/{device}", s.register)
	mux.HandleFunc("POST /devices/{device}/messages", s.push)
	return mux
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, hub: newHub(env.Log)}
	for i := range 3000 { // those that were registered when we were last stopped
		s.hub.register(fmt.Sprintf("device-%d", i))
	}
	return env.Serve(ctx, env.Instrument(http.TimeoutHandler(s.routes(), 5*time.Second, "too slow")))
}

func main() {
	env := kit.Parse("notify")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
