package server

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/app/fleet"
)

// metrics are the server's own, for Prometheus.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	page     http.Handler
}

func newMetrics(cfg *Config, log *slog.Logger) *metrics {
	r := prometheus.NewRegistry()
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "casebook_http_requests_total",
			Help: "Requests by route and status."}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "casebook_http_request_duration_seconds",
			Help: "How long requests took, by route.", Buckets: []float64{.001, .005, .02, .1, .5, 1, 5, 30}},
			[]string{"route"}),
		page: promhttp.HandlerFor(r, promhttp.HandlerOpts{}),
	}
	r.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if cfg.Keeper != nil {
		r.MustRegister(&findingMetrics{keeper: cfg.Keeper, most: cfg.MetricFindings, log: log})
	}
	if watches := cfg.Fleet; watches != nil {
		for _, state := range []fleet.State{fleet.Starting, fleet.Watched, fleet.Silent,
			fleet.Elsewhere} {
			r.MustRegister(targetsIn(watches, state))
		}
	}
	return m
}

// targetsIn counts the targets in a state.
func targetsIn(watches *fleet.Fleet, state fleet.State) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "casebook_targets", Help: "Targets by state.",
		ConstLabels: prometheus.Labels{"state": string(state)}}, func() (n float64) {
		for _, t := range watches.Targets() {
			if t.State == state {
				n++
			}
		}
		return n
	})
}

func (m *metrics) serve(w http.ResponseWriter, r *http.Request) { m.page.ServeHTTP(w, r) }

// count counts a route's requests. Its label is the route's pattern: names in paths would be labels without end.
func (m *metrics) count(rt route, next http.Handler) http.Handler {
	name := rt.method + " " + rt.path
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, out := time.Now(), &status{ResponseWriter: w, code: http.StatusOK}
		defer func() {
			m.requests.WithLabelValues(name, strconv.Itoa(out.code)).Inc()
			m.seconds.WithLabelValues(name).Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(out, r)
	})
}

// status remembers the code of an answer.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController reach the connection.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }
