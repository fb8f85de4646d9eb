// Moderation says whether a comment may be shown.
package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type comment struct {
	Author string `json:"author"`
	Text   string `json:"text"`
}

type verdict struct {
	Allowed bool     `json:"allowed"`
	Reasons []string `json:"reasons,omitempty"`
	Masked  string   `json:"masked"`
}

type server struct {
	env    *kit.Env
	policy *policy
}

func (s *server) check(w http.ResponseWriter, r *http.Request) {
	var c comment
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&c); err != nil {
		http.Error(w, "not a comment", http.StatusBadRequest)
		return
	}
	v, err := s.policy.judge(c)
	if err != nil {
		s.env.Log.Error("judging a comment", "error", err)
		http.Error(w, "the policy is broken", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, policy: defaultPolicy()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /comments/check", s.check)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("moderation")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
