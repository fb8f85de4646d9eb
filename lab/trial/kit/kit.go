// Package kit is what the services of the trial share, as the services of one company do: flags, a logger, a debug port
// with net/http/pprof and /metrics, and an orderly end.
package kit

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// An Env is what a service is started with.
type Env struct {
	Addr    string // where it serves
	Debug   string // where it serves net/http/pprof
	Backend string // the URL of the HTTP service that it calls
	DB      string // the data source name of its database
	Log     *slog.Logger
	Metrics *prometheus.Registry
}

// Parse reads the command line.
func Parse(name string) *Env {
	e := &Env{Log: slog.New(slog.NewTextHandler(os.Stderr, nil)).With("service", name),
		Metrics: prometheus.NewRegistry()}
	flag.StringVar(&e.Addr, "addr", "127.0.0.1:8080", "where to serve")
	flag.StringVar(&e.Debug, "debug", "127.0.0.1:6060", "where to serve net/http/pprof and /metrics")
	flag.StringVar(&e.Backend, "backend", "http://127.0.0.1:9000", "URL of the service behind this one")
	flag.StringVar(&e.DB, "db", "", "data source name of the database")
	flag.Parse()
	e.Metrics.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return e
}

// DebugMux is the handler of the debug port.
func (e *Env) DebugMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.Handle("/metrics", promhttp.HandlerFor(e.Metrics, promhttp.HandlerOpts{}))
	return mux
}

// Instrument counts and times the requests of a handler under the usual names.
func (e *Env) Instrument(next http.Handler) http.Handler {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total"}, []string{"code", "method"})
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_duration_seconds",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 15)}, []string{"code", "method"})
	inFlight := prometheus.NewGauge(prometheus.GaugeOpts{Name: "http_requests_in_flight"})
	e.Metrics.MustRegister(total, took, inFlight)
	return promhttp.InstrumentHandlerInFlight(inFlight,
		promhttp.InstrumentHandlerDuration(took, promhttp.InstrumentHandlerCounter(total, next)))
}

// Context ends with SIGINT or SIGTERM.
func Context() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// Serve serves h and the debug port until ctx ends.
func (e *Env) Serve(ctx context.Context, h http.Handler) error {
	debug := &http.Server{Addr: e.Debug, Handler: e.DebugMux(), ReadHeaderTimeout: 10 * time.Second}
	main := &http.Server{Addr: e.Addr, Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 2)
	go func() { failed <- debug.ListenAndServe() }()
	go func() { failed <- main.ListenAndServe() }()
	e.Log.Info("serving", "addr", e.Addr, "debug", e.Debug)
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return errors.Join(main.Shutdown(end), debug.Shutdown(end))
}

// Exit ends the program with what its run returned.
func (e *Env) Exit(err error) {
	if err != nil {
		e.Log.Error("ended", "error", err)
		os.Exit(1)
	}
}
