// Storefront puts a page together from what other services say. What does not come in time is left out.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

// partTime is how long a part of the page may take.
const partTime = 400 * time.Millisecond

type server struct {
	env    *kit.Env
	client *http.Client
}

func (s *server) part(ctx context.Context, path string) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.env.Backend+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, resp.Status)
	}
	return body, nil
}

func (s *server) page(w http.ResponseWriter, r *http.Request) {
	names := []string{"banner", "offers", "reviews"}
	parts := make([]json.RawMessage, len(names))
	var g errgroup.Group
	for i, name := range names {
		g.Go(func() error {
			part, err := s.part(r.Context(), "/"+name+"/"+r.PathValue("user"))
			if err != nil {
				s.env.Log.Debug("a part is left out", "part", name, "error", err)
				part = json.RawMessage("null")
			}
			parts[i] = part
			return nil
		})
	}
	_ = g.Wait() // they do not fail
	page := make(map[string]json.RawMessage, len(names))
	for i, name := range names {
		page[name] = parts[i]
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page)
}

func run(ctx context.Context, env *kit.Env) error {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 100
	transport.MaxConnsPerHost = 100
	s := &server{env: env, client: &http.Client{Transport: transport}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pages/{user}", s.page)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("storefront")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
