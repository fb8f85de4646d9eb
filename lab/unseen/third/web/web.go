// Package web serves what the services here share: the application behind counters of its requests, /metrics and
// /debug/pprof/. With -back a program plays what its service asks, in a process of its own.
package web

import (
	"flag"
	"log"
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Flags of every service.
var (
	Addr = flag.String("addr", "127.0.0.1:7800", "where to serve")
	Peer = flag.String("peer", "127.0.0.1:7900", "where the peer is")
	Back = flag.Bool("back", false, "be the peer")
	Dir  = flag.String("dir", ".", "folder for data")
)

var (
	duration = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "http_request_duration_seconds",
		Help:    "Time of requests.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	}, []string{"code", "method"})
	inFlight = promauto.NewGauge(prometheus.GaugeOpts{Name: "http_requests_in_flight", Help: "Requests now."})
)

// Debug is /metrics and /debug/pprof/.
func Debug() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.Handle("/metrics", promhttp.Handler())
	return mux
}

// Counted is app behind counters of its requests.
func Counted(app http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(inFlight, promhttp.InstrumentHandlerDuration(duration, app))
}

// Serve serves app at Addr.
func Serve(app http.Handler) {
	mux := Debug()
	mux.Handle("/", Counted(app))
	log.Fatal(http.ListenAndServe(*Addr, mux))
}
