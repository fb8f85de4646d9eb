package feature

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/lab/serve"
)

// An outcome is how a request ended.
type outcome int

const (
	ok outcome = iota
	badRequest
	refused        // 503: too much in flight, or the origin is busy
	upstreamFailed // 502
	timedOut       // 504
	canceled       // the client went away
	internalError
	numOutcomes
)

var outcomeNames = [numOutcomes]string{"ok", "bad_request", "refused", "upstream_error", "timeout", "canceled",
	"internal_error"}

// latencyBuckets reach from a quarter of a millisecond to a second.
var latencyBuckets = []float64{.00025, .0005, .001, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .075, .1, .2, .3,
	.5, 1}

// metrics are what both tiers count.
type metrics struct {
	registry *prometheus.Registry
	requests [numOutcomes]prometheus.Counter
	duration prometheus.Histogram
}

// newMetrics makes the metrics of a tier.
func newMetrics(tier string) metrics {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: tier + "_requests_total", Help: "Requests, by how they ended."}, []string{"outcome"})
	m := metrics{registry: serve.NewRegistry(), duration: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: tier + "_request_duration_seconds", Help: "Time to answer a request.", Buckets: latencyBuckets})}
	m.registry.MustRegister(requests, m.duration)
	for o := range numOutcomes {
		m.requests[o] = requests.WithLabelValues(outcomeNames[o])
	}
	return m
}

func (m *metrics) done(o outcome, d time.Duration) {
	m.requests[o].Inc()
	m.duration.Observe(d.Seconds())
}

func (m *metrics) handler() http.Handler {
	return serve.Metrics(m.registry)
}

// computeMetrics are what the compute tier counts beside.
type computeMetrics struct {
	metrics
	localCache, redisCache lookups
	computed               prometheus.Counter // by the origin
	redisErrors            prometheus.Counter
}

// lookups count what a cache was asked for.
type lookups struct{ hits, misses prometheus.Counter }

func (l lookups) lookup(hit bool) {
	if hit {
		l.hits.Inc()
		return
	}
	l.misses.Inc()
}

func newComputeMetrics(s *Compute) *computeMetrics {
	m := &computeMetrics{metrics: newMetrics("compute")}
	found := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "compute_cache_lookups_total", Help: "Groups looked up in a cache, by result."},
		[]string{"cache", "result"})
	m.localCache = lookups{found.WithLabelValues("local", "hit"), found.WithLabelValues("local", "miss")}
	m.redisCache = lookups{found.WithLabelValues("redis", "hit"), found.WithLabelValues("redis", "miss")}
	m.computed = prometheus.NewCounter(prometheus.CounterOpts{Name: "compute_origin_groups_total",
		Help: "Groups computed from histories."})
	m.redisErrors = prometheus.NewCounter(prometheus.CounterOpts{Name: "compute_redis_errors_total",
		Help: "Failed calls of Redis."})
	m.registry.MustRegister(found, m.computed, m.redisErrors, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "compute_cache_groups", Help: "Groups in the local cache."},
		func() float64 { return float64(s.local.Len()) }))
	return m
}
