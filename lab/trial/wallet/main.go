// Wallet moves money between accounts.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type transfer struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Cents int64  `json:"cents"`
}

type server struct {
	env  *kit.Env
	bank *bank
}

func (s *server) move(w http.ResponseWriter, r *http.Request) {
	var t transfer
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&t); err != nil {
		http.Error(w, "not a transfer", http.StatusBadRequest)
		return
	}
	if err := s.bank.move(t); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *server) balance(w http.ResponseWriter, r *http.Request) {
	cents, ok := s.bank.balance(r.PathValue("account"))
	if !ok {
		http.Error(w, "no such account", http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]int64{"cents": cents})
}

func run(ctx context.Context, env *kit.Env) error {
	journal, err := os.CreateTemp("", "wallet-journal-*")
	if err != nil {
		return err
	}
	defer os.Remove(journal.Name())
	s := &server{env: env, bank: newBank(journal)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /transfers", s.move)
	mux.HandleFunc("GET /accounts/{account}", s.balance)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("wallet")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
