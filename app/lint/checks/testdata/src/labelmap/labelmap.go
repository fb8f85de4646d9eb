package labelmap

import "github.com/prometheus/client_golang/prometheus"

var requests = prometheus.NewCounterVec("requests", "method", "status")

var gets = requests.With(prometheus.Labels{"method": "GET", "status": "200"})

func count(method, status string) {
	requests.With(prometheus.Labels{"method": method, "status": status}).Inc() // want `use WithLabelValues`
}

func find(method string) error {
	c, err := requests.GetMetricWith(prometheus.Labels{"method": method, "status": "200"}) // want `use WithLabelValues`
	if err == nil {
		c.Inc()
	}
	return err
}

// What follows is fine.

func values(method, status string) { requests.WithLabelValues(method, status).Inc() }

func given(labels prometheus.Labels) { requests.With(labels).Inc() }

func init() {
	requests.With(prometheus.Labels{"method": "PUT", "status": "200"}).Inc()
}
