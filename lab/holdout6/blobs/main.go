// Blobs keeps files under the hash of what is in them.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s, err := openStore(6)
	if err != nil {
		log.Fatal(err)
	}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Put("/blobs", func(w http.ResponseWriter, r *http.Request) {
		name, err := s.Put(r.Context(), http.MaxBytesReader(w, r.Body, 64<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintln(w, name)
	})
	r.Get("/blobs/{name}", func(w http.ResponseWriter, r *http.Request) {
		f, err := s.Open(chi.URLParam(r, "name"))
		if errors.Is(err, fs.ErrNotExist) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer f.Close()
		w.Header().Set("ETag", `"`+chi.URLParam(r, "name")+`"`)
		http.ServeContent(w, r, "", time.Time{}, f)
	})
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

func load(p drive.Ports) {
	body := strings.Repeat("All work and no play makes Jack a dull boy. ", 40_000)
	drive.Load{Rate: 24}.Run(func(i int) *http.Request {
		if i%2 == 0 {
			return drive.Get(p.Main(), "/blobs/none")
		}
		return drive.Send(http.MethodPut, p.Main(), "/blobs", fmt.Sprint(i%40)+body)
	})
}
