// Relay passes messages on to subscribers' systems, in the order of each topic.
package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	relay *relay
}

func (s *server) publish(w http.ResponseWriter, r *http.Request) {
	var m message
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&m); err != nil {
		http.Error(w, "not a message", http.StatusBadRequest)
		return
	}
	m.Topic = r.PathValue("topic")
	if !s.relay.publish(m) {
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// follow starts the mirror to the second site. The operator does so by hand.
func (s *server) follow(w http.ResponseWriter, _ *http.Request) {
	s.relay.mirror()
	w.WriteHeader(http.StatusNoContent)
}

func run(ctx context.Context, env *kit.Env) error {
	r := newRelay(ctx, env.Backend, env.Log)
	go r.run(ctx)
	s := &server{relay: r}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /topics/{topic}", s.publish)
	mux.HandleFunc("POST /admin/mirror", s.follow)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("relay")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
