package ads

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/lab/serve"
)

// An outcome is how a request for ads ended.
type outcome int

const (
	wellServed   outcome = iota
	poorlyServed         // without the ads whose caps could not be read
	badRequest
	refused // too many at once
	noCatalogue
	canceled // the client went away
	failed
	numOutcomes
)

func (o outcome) String() string {
	return [numOutcomes]string{"served", "degraded", "bad_request", "refused", "no_catalogue", "canceled", "failed"}[o]
}

// metrics are the numbers of one delivery service.
type metrics struct {
	registry    *prometheus.Registry
	requests    [numOutcomes]prometheus.Counter
	duration    prometheus.Histogram
	capsUnknown prometheus.Counter
	uncounted   prometheus.Counter
	unmarked    prometheus.Counter
}

// newMetrics makes the metrics of d.
func newMetrics(d *Delivery) *metrics {
	m := &metrics{registry: serve.NewRegistry()}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "ads_requests_total", Help: "Requests for ads, by how they ended."}, []string{"outcome"})
	for o := range numOutcomes {
		m.requests[o] = requests.WithLabelValues(o.String())
	}
	m.duration = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "ads_request_duration_seconds",
		Help:    "Time to answer a request for ads.",
		Buckets: prometheus.ExponentialBuckets(0.00025, 2, 15)})
	m.capsUnknown = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "ads_caps_unknown_total", Help: "Requests whose frequency caps could not be read."})
	m.uncounted = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "ads_impressions_uncounted_total", Help: "Impressions that could not be counted."})
	m.unmarked = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "ads_marks_lost_total", Help: "Marks of what was considered that could not be noted."})
	m.registry.MustRegister(requests, m.duration, m.capsUnknown, m.uncounted, m.unmarked)
	m.addState(d)
	return m
}

func (m *metrics) addState(d *Delivery) {
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	counter := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
	}
	gauge("ads_requests_in_flight", "Requests that are worked on.", func() float64 { return float64(len(d.places)) })
	gauge("ads_catalogue_version", "Version of the catalogue; 0: none.", func() float64 { return float64(d.version()) })
	counter("ads_report_bytes_total", "Bytes of report lines taken.",
		func() float64 { return float64(d.sink.written.Load()) })
	counter("ads_report_lost_bytes_total", "Bytes of report lines lost.",
		func() float64 { return float64(d.sink.lost.Load()) })
}

func (d *Delivery) version() int64 {
	if c := d.catalogue.Load(); c != nil {
		return c.version
	}
	return 0
}

func (m *metrics) done(o outcome, d time.Duration) {
	m.requests[o].Inc()
	m.duration.Observe(d.Seconds())
}

func (m *metrics) handler() http.Handler {
	return serve.Metrics(m.registry)
}
