// Rates of exchange, with the time of each call in go-metrics.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/rcrowley/go-metrics"
)

type api struct {
	registry metrics.Registry
	fixed    bool
	rates    map[string]float64
}

func (a *api) observe(name string, d time.Duration) {
	if a.fixed {
		a.registry.GetOrRegister(name, metrics.NewTimer).(metrics.Timer).Update(d)
		return
	}
	a.registry.GetOrRegister(name, metrics.NewTimer()).(metrics.Timer).Update(d)
}

func (a *api) timed(name string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer func(start time.Time) { a.observe(name, time.Since(start)) }(time.Now())
		next(w, r)
	}
}

func (a *api) rate(w http.ResponseWriter, r *http.Request) {
	v, ok := a.rates[r.PathValue("pair")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, "{\"pair\":%q,\"rate\":%g}\n", r.PathValue("pair"), v)
}

func (a *api) all(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(a.rates)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8307", "address to serve on")
	fixed := flag.Bool("fixed", false, "hand over the constructor")
	flag.Parse()
	a := &api{registry: metrics.NewRegistry(), fixed: *fixed, rates: map[string]float64{}}
	for i := range 40 {
		a.rates[fmt.Sprintf("EUR%02d", i)] = 1 + float64(i)/17
	}
	http.HandleFunc("GET /rates/{pair}", a.timed("rate", a.rate))
	http.HandleFunc("GET /rates", a.timed("all", a.all))
	http.Handle("GET /metrics", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		metrics.WriteJSONOnce(a.registry, w)
	}))
	log.Fatal(http.ListenAndServe(*addr, nil))
}
