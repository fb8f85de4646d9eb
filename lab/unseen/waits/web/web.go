// Package web serves what every service here has: the application behind counters of its requests, /metrics and
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
	Addr  = flag.String("addr", "127.0.0.1:7600", "where to serve")
	Peer  = flag.String("peer", "127.0.0.1:7700", "where the peer is")
	Back  = flag.Bool("back", false, "be the peer")
	Fixed = flag.Bool("fixed", false, "the form in which the fault is repaired")
)

var (
	duration = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "http_request_duration_seconds",
		Help:    "Time of requests.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	}, []string{"code", "method"})
	inFlight = promauto.NewGauge(prometheus.GaugeOpts{Name: "http_requests_in_flight", Help: "Requests now."})
)

// Serve serves app at Addr.
func Serve(app http.Handler) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.Handle("/metrics", promhttp.Handler())
	mux.Handle("/", promhttp.InstrumentHandlerInFlight(inFlight, promhttp.InstrumentHandlerDuration(duration, app)))
	log.Fatal(http.ListenAndServe(*Addr, mux))
}
