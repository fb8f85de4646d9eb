// Bookings reserves seats of trains. A seat is reserved in a transaction with the fare that was paid.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	_ "modernc.org/sqlite"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s, err := openStore()
	if err != nil {
		log.Fatal(err)
	}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Get("/trains/{train}/free", func(w http.ResponseWriter, r *http.Request) {
		train, _ := strconv.Atoi(chi.URLParam(r, "train"))
		n, err := s.Free(r.Context(), train)
		answer(w, map[string]int{"free": n}, err)
	})
	r.Post("/bookings", func(w http.ResponseWriter, r *http.Request) {
		var b Booking
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(w, &b, s.Book(r.Context(), &b))
	})
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

func answer(w http.ResponseWriter, v any, err error) {
	switch {
	case errors.Is(err, ErrFare), errors.Is(err, ErrTaken):
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
}

func load(p drive.Ports) {
	drive.Load{Rate: 60, Callers: 200}.Run(func(i int) *http.Request {
		if i%3 != 0 {
			return drive.Get(p.Main(), "/trains/%d/free", i*7%50)
		}
		fare := 2900
		if i%24 == 0 { // somebody's fare is of yesterday
			fare = 2500
		}
		return drive.Send(http.MethodPost, p.Main(), "/bookings",
			fmt.Sprintf(`{"train":%d,"seat":%d,"fare":%d}`, i%50, i/50, fare))
	})
}
