// Ledger books payments: it asks the fraud service about each and writes it to the database.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type payment struct {
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

type server struct {
	env  *kit.Env
	book *book
}

func (s *server) pay(w http.ResponseWriter, r *http.Request) {
	var p payment
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&p); err != nil {
		http.Error(w, "not a payment", http.StatusBadRequest)
		return
	}
	switch err := s.book.book(r.Context(), p); {
	case errors.Is(err, errRefused):
		http.Error(w, "refused", http.StatusPaymentRequired)
	case err != nil:
		s.env.Log.Error("booking", "account", p.Account, "error", err)
		http.Error(w, "cannot book", http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusCreated)
	}
}

func (s *server) balance(w http.ResponseWriter, r *http.Request) {
	cents, err := s.book.balance(r.Context(), r.PathValue("account"))
	if err != nil {
		http.Error(w, "no balance", http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]int64{"cents": cents})
}

func run(ctx context.Context, env *kit.Env) error {
	b, err := openBook(env.DB, env.Backend)
	if err != nil {
		return err
	}
	defer b.db.Close()
	s := &server{env: env, book: b}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payments", s.pay)
	mux.HandleFunc("GET /accounts/{account}/balance", s.balance)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("ledger")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
