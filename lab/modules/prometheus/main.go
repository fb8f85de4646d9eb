// Prometheus is a chi service instrumented with client_golang, scraped once a second.
package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

var (
	requests = promauto.NewCounterVec(prometheus.CounterOpts{Name: "shop_requests_total"}, []string{"path", "user"})
	latency  = promauto.NewHistogramVec(prometheus.HistogramOpts{Name: "shop_request_seconds",
		Buckets: prometheus.DefBuckets}, []string{"path", "user"})
)

// observe counts a request. The user in the label has no bound.
func observe(sick bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user := ""
			if sick {
				user = r.FormValue("u")
			}
			began := time.Now()
			next.ServeHTTP(w, r)
			route := chi.RouteContext(r.Context()).RoutePattern()
			requests.WithLabelValues(route, user).Inc()
			latency.WithLabelValues(route, user).Observe(time.Since(began).Seconds())
		})
	}
}

func start(o serve.Options) error {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer, observe(o.Sick))
	r.Get("/price/{item}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(chi.URLParam(r, "item"))
		fmt.Fprintf(w, `{"item":%d,"price":%d}`, n, n*17%1000)
	})
	http.Handle("/price/", r)
	http.Handle("/metrics", promhttp.Handler())
	go scrape(o.Port)
	return nil
}

// scrape stands for the server that reads the page: from inside, so that the load is one program.
func scrape(port int) {
	for range time.Tick(time.Second) {
		if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", port)); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000,
		Path: func(i int) string { return fmt.Sprintf("/price/%d?u=user-%d", i%100, i) }})
}
