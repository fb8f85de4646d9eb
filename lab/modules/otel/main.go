// Otel is a service with OpenTelemetry's SDK: spans by a batch processor, metrics by a periodic reader, to a collector.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// discard is an exporter of metrics to nowhere.
type discard struct{}

func (discard) Temporality(k sdkmetric.InstrumentKind) metricdata.Temporality {
	return sdkmetric.DefaultTemporalitySelector(k)
}
func (discard) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}
func (discard) Export(context.Context, *metricdata.ResourceMetrics) error { return nil }
func (discard) ForceFlush(context.Context) error                          { return nil }
func (discard) Shutdown(context.Context) error                            { return nil }

type shop struct {
	tracer trace.Tracer
	sold   metric.Int64Counter
}

func (s *shop) sell(ctx context.Context, item string) int {
	ctx, span := s.tracer.Start(ctx, "sell", trace.WithAttributes(attribute.String("item", item)))
	defer span.End()
	price := s.price(ctx, item)
	s.sold.Add(ctx, 1, metric.WithAttributes(attribute.Int("price", price)))
	return price
}

func (s *shop) price(ctx context.Context, item string) int {
	_, span := s.tracer.Start(ctx, "price")
	defer span.End()
	return len(item) * 100
}

func start(o serve.Options) error {
	exp, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpoint(o.Backend),
		otlptracehttp.WithInsecure())
	if err != nil {
		return err
	}
	tp := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exp),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(0.3))))
	mp := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(discard{},
		sdkmetric.WithInterval(2*time.Second))))
	s := &shop{tracer: tp.Tracer("shop")}
	if s.sold, err = mp.Meter("shop").Int64Counter("sold"); err != nil {
		return err
	}
	http.HandleFunc("/sell", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, s.sell(r.Context(), r.FormValue("item")))
	})
	return nil
}

// backend is a collector that takes everything.
func backend() (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/sell?item=shoe", i%50) }})
}
