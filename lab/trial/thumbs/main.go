// Thumbs takes pictures, passes them on to the store, and remembers of each what kind it is.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

const maxPicture = 8 << 20 // bytes

type server struct {
	env   *kit.Env
	index *index
}

func (s *server) upload(w http.ResponseWriter, r *http.Request) {
	picture, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPicture)) // trial:fault
	if err != nil {
		http.Error(w, "cannot read the picture", http.StatusBadRequest)
		return
	}
	p, err := describe(r.PathValue("id"), picture)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnsupportedMediaType)
		return
	}
	s.index.add(p)
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"id": %q, "sum": %q}`, p.id, p.sum)
}

func (s *server) kind(w http.ResponseWriter, r *http.Request) {
	p, ok := s.index.get(r.PathValue("id"))
	if !ok {
		http.Error(w, "no such picture", http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": http.DetectContentType(p.head), "size": p.size})
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, index: newIndex()}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /pictures/{id}", s.upload)
	mux.HandleFunc("GET /pictures/{id}/kind", s.kind)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("thumbs")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
