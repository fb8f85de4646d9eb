package phones

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/lab/serve"
)

// An outcome is how a request for a phone ended.
type outcome int

const (
	anonymousOutcome outcome = iota
	trackingOutcome
	realOutcome
	badRequest
	notFound
	upstreamFailed
	upstreamTimeout
	canceled // the client went away
	internalError
	numOutcomes
)

var outcomeNames = [numOutcomes]string{
	"anonymous", "call-tracking", "real",
	"bad_request", "not_found", "upstream_error", "upstream_timeout", "canceled", "internal_error",
}

func outcomeOf(k Kind) outcome {
	switch k {
	case Anonymous:
		return anonymousOutcome
	case CallTracking:
		return trackingOutcome
	}
	return realOutcome
}

// latencyBuckets reach from half a millisecond to the gateway's write timeout, in seconds.
var latencyBuckets = []float64{.0005, .001, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .075, .1, .2, .3, .5, 1,
	2, 5}

// metrics are the numbers of one gateway. The children of labelled metrics are looked up once: a request only counts.
type metrics struct {
	registry      *prometheus.Registry
	requests      [numOutcomes]prometheus.Counter
	duration      prometheus.Histogram
	realCache     cacheMetrics
	trackingCache cacheMetrics
	upstreams     map[string]upstreamMetrics // never changed after New
	syncAdded     prometheus.Counter
	syncRemoved   prometheus.Counter
}

type cacheMetrics struct{ hits, misses prometheus.Counter }

func (c cacheMetrics) lookup(hit bool) {
	if hit {
		c.hits.Inc()
		return
	}
	c.misses.Inc()
}

type upstreamMetrics struct {
	duration prometheus.Observer
	errors   map[int]prometheus.Counter // by the gateway's status
}

// newMetrics makes the metrics of a gateway.
func newMetrics(g *Gateway) *metrics {
	m := &metrics{registry: serve.NewRegistry(), upstreams: map[string]upstreamMetrics{}}
	m.addRequests()
	m.addUpstreams()
	m.realCache, m.trackingCache = m.addCaches(g)
	m.addGauges(g)
	return m
}

func (m *metrics) addRequests() {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "phones_requests_total", Help: "Requests for a phone, by how they ended."}, []string{"outcome"})
	m.duration = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "phones_request_duration_seconds", Help: "Time to answer a request for a phone.",
		Buckets: latencyBuckets})
	m.registry.MustRegister(requests, m.duration)
	for o := range numOutcomes {
		m.requests[o] = requests.WithLabelValues(outcomeNames[o])
	}
}

func (m *metrics) addUpstreams() {
	duration := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "phones_upstream_duration_seconds", Help: "Time of a call of an upstream.", Buckets: latencyBuckets},
		[]string{"upstream"})
	failures := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "phones_upstream_errors_total",
		Help: "Calls of an upstream that failed, by the status the gateway answers."},
		[]string{"upstream", "status"})
	m.registry.MustRegister(duration, failures)
	for _, name := range []string{itemsUpstream, usersUpstream, trackingUpstream} {
		u := upstreamMetrics{duration.WithLabelValues(name), map[int]prometheus.Counter{}}
		for _, status := range []int{http.StatusNotFound, http.StatusBadGateway, http.StatusGatewayTimeout} {
			u.errors[status] = failures.WithLabelValues(name, strconv.Itoa(status))
		}
		m.upstreams[name] = u
	}
}

func (m *metrics) addCaches(g *Gateway) (real, tracking cacheMetrics) {
	lookups := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "phones_cache_lookups_total", Help: "Look-ups in a cache, by result."}, []string{"cache", "result"})
	m.registry.MustRegister(lookups)
	m.addGauge("phones_cache_entries", "Entries in a cache.", prometheus.Labels{"cache": "real"},
		func() float64 { return float64(g.caches.real.Len()) })
	m.addGauge("phones_cache_entries", "Entries in a cache.", prometheus.Labels{"cache": "tracking"},
		func() float64 { return float64(g.caches.tracking.Len()) })
	of := func(cache string) cacheMetrics {
		return cacheMetrics{lookups.WithLabelValues(cache, "hit"), lookups.WithLabelValues(cache, "miss")}
	}
	return of("real"), of("tracking")
}

func (m *metrics) addGauges(g *Gateway) {
	m.addGauge("phones_call_tracking_users", "Users with call tracking.", nil,
		func() float64 { return float64(g.set.Len()) })
	m.addGauge("phones_warm_entries", "Cache entries loaded by the warm-up so far.", nil,
		func() float64 { return float64(g.warm.loaded.Load()) })
	m.addGauge("phones_warm_goal_entries", "Cache entries that the warm-up loads.", nil,
		func() float64 { return float64(g.warm.goal) })
	changes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "phones_sync_changes_total", Help: "Users switched by /sync."}, []string{"to"})
	m.registry.MustRegister(changes)
	m.syncAdded, m.syncRemoved = changes.WithLabelValues("on"), changes.WithLabelValues("off")
}

func (m *metrics) addGauge(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
		value))
}

func (m *metrics) requestDone(o outcome, d time.Duration) {
	m.requests[o].Inc()
	m.duration.Observe(d.Seconds())
}

func (m *metrics) upstreamDone(upstream string, d time.Duration, err error) {
	u := m.upstreams[upstream]
	u.duration.Observe(d.Seconds())
	if err != nil {
		u.errors[statusOf(err)].Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return serve.Metrics(m.registry)
}
