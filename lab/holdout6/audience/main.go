// Audience knows which segments a visitor belongs to.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

// config is read from the environment.
type config struct {
	gcPercent int
	profiles  int
}

func fromEnv() config {
	c := config{gcPercent: 8, profiles: 160_000} // small pods: rather collect early than be killed
	if n, err := strconv.Atoi(os.Getenv("AUDIENCE_GC_PERCENT")); err == nil {
		c.gcPercent = n
	}
	return c
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	c := fromEnv()
	debug.SetGCPercent(c.gcPercent)
	s := newSegments(c.profiles)
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Post("/events", func(w http.ResponseWriter, r *http.Request) {
		var batch []Event
		if err := json.NewDecoder(r.Body).Decode(&batch); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, e := range batch {
			s.apply(e)
		}
		w.WriteHeader(http.StatusAccepted)
	})
	r.Get("/visitors/{visitor}", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(s.of(chi.URLParam(r, "visitor"), time.Now()))
	})
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

func load(p drive.Ports) {
	drive.Load{Rate: 500}.Run(func(i int) *http.Request {
		if i%3 > 0 {
			return drive.Get(p.Main(), "/visitors/v%d", i*31%160_000)
		}
		var batch []Event
		for j := range 80 {
			batch = append(batch, Event{Visitor: fmt.Sprintf("v%d", (i*97+j*13)%160_000), Page: fmt.Sprintf("/p/%d", j),
				Tags: []string{"sport", "bikes", strconv.Itoa(j)}})
		}
		text, _ := json.Marshal(batch)
		return drive.Send(http.MethodPost, p.Main(), "/events", string(text))
	})
}
