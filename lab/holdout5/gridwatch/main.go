// Gridwatch shows the load of a power grid's substations, and forecasts it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"

	"github.com/robfig/cron/v3"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	grid := newGrid(420)
	f := &Forecaster{grid: grid, horizon: 96}
	jobs := cron.New(cron.WithSeconds(), cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	if _, err := jobs.AddFunc("*/3 * * * * *", f.Recompute); err != nil {
		log.Fatal(err)
	}
	jobs.Start()
	defer jobs.Stop()
	mux := http.DefaultServeMux
	mux.HandleFunc("POST /substations/{id}/readings", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		var in struct{ MW float64 }
		if err != nil || json.NewDecoder(r.Body).Decode(&in) != nil || !grid.record(id, in.MW) {
			http.Error(w, "bad reading", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /substations/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		s, ok := grid.substation(id)
		if err != nil || !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": id, "now": s.last(), "forecast": s.forecast.Load()})
	})
	log.Fatal(http.ListenAndServe(p.Main(), mux))
}

func load(p drive.Ports) {
	drive.Load{Rate: 180, Callers: 128}.Run(func(i int) *http.Request {
		if i%3 == 0 {
			return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/substations/%d/readings", i%420),
				fmt.Sprintf(`{"MW":%d.5}`, 20+i%60))
		}
		return drive.Get(p.Main(), "/substations/%d", i*11%420)
	})
}
