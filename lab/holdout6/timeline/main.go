// Timeline merges what several systems say of a parcel into one list, latest first.
package main

import (
	"encoding/json"
	"log"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type api struct{ feeds *feeds }

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	a := api{feeds: newFeeds(1200)}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Get("/parcels/{parcel}/timeline", a.timeline)
	r.Get("/parcels/{parcel}/last", a.last)
	slog.Info("listening", "addr", p.Main())
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

func (a api) timeline(w http.ResponseWriter, r *http.Request) {
	list := a.feeds.merged(chi.URLParam(r, "parcel"))
	if len(list) == 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(page(list, 50)); err != nil {
		slog.Debug("not sent", "err", err)
	}
}

func (a api) last(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(a.feeds.scanner(chi.URLParam(r, "parcel"), 1))
}

func load(p drive.Ports) {
	drive.Load{Rate: 240}.Run(func(i int) *http.Request {
		if i%4 == 0 {
			return drive.Get(p.Main(), "/parcels/p%d/last", i*7%1200)
		}
		return drive.Get(p.Main(), "/parcels/p%d/timeline", i*13%1200)
	})
}
