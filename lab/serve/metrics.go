package serve

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// NewRegistry makes a registry of a service's own metrics, with client_golang's Go and process collectors.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Metrics answers GET /metrics.
func Metrics(r *prometheus.Registry) http.Handler {
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 5 * time.Second})
}

// durations reach from half a millisecond to five seconds, in seconds.
var durations = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .15, .2, .3, .5, 1, 2, 5}

// Requests counts the requests that h answers, by their status and with their times, in promhttp's way and under the
// names of its documentation: what dashboards and watches of a service read.
func Requests(r *prometheus.Registry, h http.Handler) http.Handler {
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_duration_seconds",
		Help: "Time to answer a request, by status.", Buckets: durations}, []string{"code"})
	open := prometheus.NewGauge(prometheus.GaugeOpts{Name: "http_requests_in_flight", Help: "Requests in progress."})
	r.MustRegister(took, open)
	return promhttp.InstrumentHandlerInFlight(open, promhttp.InstrumentHandlerDuration(took, h))
}
