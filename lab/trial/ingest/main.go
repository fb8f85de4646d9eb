// Ingest takes measurements from devices and writes them to the store behind it.
package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	queue *queue
}

func (s *server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil || !json.Valid(body) {
		http.Error(w, "not a measurement", http.StatusBadRequest)
		return
	}
	s.queue.push(measurement{Device: r.PathValue("device"), Data: body})
	w.WriteHeader(http.StatusAccepted)
}

func run(ctx context.Context, env *kit.Env) error {
	q := newQueue()
	wr := &writer{url: env.Backend, client: newClient(), queue: q, log: env.Log}
	go wr.run(ctx)
	s := &server{queue: q}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /devices/{device}/measurements", s.post)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("ingest")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
