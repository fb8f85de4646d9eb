// Shop front with the metrics of OpenTelemetry, which Prometheus reads at /metrics.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
)

type item struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

func show(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(item{ID: id, Name: "item " + strconv.Itoa(id), Cents: id * 7 % 10_000})
}

func meters(fixed bool) (*metric.MeterProvider, error) {
	exporter, err := prometheus.New()
	if err != nil {
		return nil, err
	}
	options := []metric.Option{metric.WithReader(exporter)}
	if fixed {
		few := func(kv attribute.KeyValue) bool { return kv.Key == "http.method" || kv.Key == "http.status_code" }
		options = append(options, metric.WithView(metric.NewView(metric.Instrument{Name: "http.server.*"},
			metric.Stream{AttributeFilter: few})))
	}
	return metric.NewMeterProvider(options...), nil
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8305", "address to serve on")
	fixed := flag.Bool("fixed", false, "keep only attributes of few values")
	flag.Parse()
	provider, err := meters(*fixed)
	if err != nil {
		log.Fatal(err)
	}
	shop := http.NewServeMux()
	shop.HandleFunc("GET /items/{id}", show)
	http.Handle("/items/", otelhttp.NewHandler(shop, "shop", otelhttp.WithMeterProvider(provider)))
	http.Handle("/metrics", promhttp.Handler())
	log.Fatal(http.ListenAndServe(*addr, nil))
}
