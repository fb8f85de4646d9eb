// Journal keeps what happened to shipments, on the disk before it answers. Writes of the same moment share a sync.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

type server struct{ book *Book }

func (s server) add(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	e.At = time.Now().UTC()
	if err := s.book.Add(chi.URLParam(r, "id"), e); err != nil {
		log.Printf("event not kept: %v", err)
		http.Error(w, "not kept", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s server) list(w http.ResponseWriter, r *http.Request) {
	events, err := s.book.Events(chi.URLParam(r, "id"), 50)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(events)
}

func load(p drive.Ports) {
	drive.Load{Rate: 320, Callers: 96}.Run(func(i int) *http.Request {
		if i%4 == 0 {
			return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/shipments/S%d/events", i%3000),
				`{"kind":"scanned","place":"hub 4"}`)
		}
		return drive.Get(p.Main(), "/shipments/S%d/events", i*7%3000)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	dir, err := os.MkdirTemp("", "journal-")
	if err != nil {
		log.Fatal(err)
	}
	book, err := Open(filepath.Join(dir, "journal.db"))
	if err != nil {
		log.Fatal(err)
	}
	s := server{book}
	r := chi.NewRouter()
	r.Post("/shipments/{id}/events", s.add)
	r.Get("/shipments/{id}/events", s.list)
	r.HandleFunc("/debug/pprof/*", pprof.Index)
	r.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	r.HandleFunc("/debug/pprof/profile", pprof.Profile)
	r.HandleFunc("/debug/pprof/trace", pprof.Trace)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
