// Accounts keeps the accounts of customers in memory, from a snapshot that it reads at the start. It is deployed often.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type account struct {
	ID    string `json:"id"`
	Mail  string `json:"mail"`
	Plan  string `json:"plan"`
	Notes string `json:"notes"`
}

type server struct {
	mu       sync.RWMutex // guards accounts
	accounts map[string]account
}

// restore stands for reading the snapshot.
func restore(n int) map[string]account {
	accounts := make(map[string]account, n)
	for i := range n {
		id := fmt.Sprint(i)
		plan := []string{"free", "team"}[i%2]
		accounts[id] = account{ID: id, Mail: id + "@example.com", Plan: plan, Notes: fmt.Sprintf("since %d", 2000+i%25)}
	}
	return accounts
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	a, ok := s.accounts[r.PathValue("id")]
	s.mu.RUnlock()
	if !ok {
		http.Error(w, "no such account", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a)
}

func (s *server) put(w http.ResponseWriter, r *http.Request) {
	var a account
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&a); err != nil {
		http.Error(w, "not an account", http.StatusBadRequest)
		return
	}
	a.ID = r.PathValue("id")
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.accounts[a.ID]; !ok {
		http.Error(w, "no such account", http.StatusNotFound)
		return
	}
	s.accounts[a.ID] = a
	w.WriteHeader(http.StatusNoContent)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{accounts: restore(100_000)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /accounts/{id}", s.get)
	mux.HandleFunc("PUT /accounts/{id}", s.put)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("accounts")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
