// Wallets moves money between the purses of a loyalty scheme.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

type server struct{ ledger *Ledger }

func (s *server) transfer(w http.ResponseWriter, r *http.Request) {
	var t Transfer
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&t); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch err := s.ledger.Transfer(t); {
	case errors.Is(err, ErrUnknown):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusConflict)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *server) purse(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(chi.URLParam(r, "id"))
	view, err := s.ledger.View(id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(view)
}

func load(p drive.Ports) {
	const pairs = 40
	drive.Load{Rate: 260, Burst: 4, Callers: 400, Timeout: 2 * time.Second}.Run(func(i int) *http.Request {
		if i%4 == 0 {
			return drive.Get(p.Main(), "/purses/%d", 200+rand.IntN(1800))
		}
		from := rand.IntN(2 * pairs)
		to := from ^ 1
		return drive.Send(http.MethodPost, p.Main(), "/transfers",
			fmt.Sprintf(`{"from":%d,"to":%d,"points":%d,"memo":"order %d"}`, from, to, 1+i%5, i))
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s := &server{NewLedger(2000, 1_000_000)}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Post("/transfers", s.transfer)
	r.Get("/purses/{id}", s.purse)
	r.HandleFunc("/debug/pprof/*", pprof.Index)
	r.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	r.HandleFunc("/debug/pprof/profile", pprof.Profile)
	r.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	r.HandleFunc("/debug/pprof/trace", pprof.Trace)
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}
