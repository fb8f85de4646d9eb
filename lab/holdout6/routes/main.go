// Routes finds the way between two places of a road network: A* over a grid of 250,000 crossings.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	lru "github.com/hashicorp/golang-lru/v2"
	"go.uber.org/zap"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type api struct {
	roads *network
	known *lru.Cache[[2]int32, int32]
	log   *zap.Logger
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	logger, err := zap.NewProduction(zap.AddStacktrace(zap.PanicLevel))
	if err != nil {
		log.Fatal(err)
	}
	known, err := lru.New[[2]int32, int32](10_000)
	if err != nil {
		log.Fatal(err)
	}
	a := api{roads: newNetwork(500), known: known, log: logger}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer, middleware.Throttle(64))
	r.Mount("/debug", middleware.Profiler())
	r.Get("/route/{from}/{to}", a.route)
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	a.log.Info("listening", zap.String("addr", p.Main()))
	log.Fatal(srv.ListenAndServe())
}

func (a api) route(w http.ResponseWriter, r *http.Request) {
	from, err1 := strconv.ParseInt(chi.URLParam(r, "from"), 10, 32)
	to, err2 := strconv.ParseInt(chi.URLParam(r, "to"), 10, 32)
	n := int64(len(a.roads.cost))
	if err1 != nil || err2 != nil || from < 0 || to < 0 || from >= n || to >= n {
		http.Error(w, "no such crossing", http.StatusBadRequest)
		return
	}
	key := [2]int32{int32(from), int32(to)}
	seconds, ok := a.known.Get(key)
	if !ok {
		seconds = a.roads.shortest(key[0], key[1])
		a.known.Add(key, seconds)
	}
	json.NewEncoder(w).Encode(map[string]int32{"seconds": seconds})
}

func load(p drive.Ports) {
	drive.Load{Rate: 150}.Run(func(i int) *http.Request {
		x, y := i*37%440, i*53%441
		return drive.Get(p.Main(), "/route/%s/%s", fmt.Sprint(y*500+x), fmt.Sprint((y+40)*500+x+55))
	})
}
