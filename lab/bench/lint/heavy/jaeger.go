package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"
)

// jaeger keeps traces in memory: services send spans as JSON of OpenTelemetry, people look for traces.
func jaeger() Service {
	return Service{
		Name: "jaeger", Module: "github.com/jaegertracing/jaeger", Version: "v1.76.0", Main: "cmd/all-in-one", Unseen: true,
		Args: []string{"--query.http-server.host-port=127.0.0.1:{port}", "--collector.otlp.http.host-port=127.0.0.1:{other}",
			"--collector.otlp.grpc.host-port=127.0.0.1:0", "--collector.grpc-server.host-port=127.0.0.1:0",
			"--collector.http-server.host-port=127.0.0.1:0", "--query.grpc-server.host-port=127.0.0.1:0",
			"--admin.http.host-port=127.0.0.1:0", "--memory.max-traces=20000",
			"--collector.queue-size=100000"},
		Env:   []string{"SPAN_STORAGE_TYPE=memory"},
		Ready: "/api/services",
		Load:  loadJaeger,
	}
}

var jaegerServices = []string{"cart", "checkout", "frontend", "payment", "shipping", "stock"}

// jaegerSpans are the spans of a trace that a service has.
func jaegerSpans(r *rand.Rand) string {
	trace, now := fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()), time.Now()
	attribute := func(key, value string) any {
		return map[string]any{"key": key, "value": map[string]any{"stringValue": value}}
	}
	var spans []any
	parent := ""
	for i := range 2 + r.IntN(8) {
		id := fmt.Sprintf("%016x", r.Uint64())
		began := now.Add(time.Duration(i) * time.Millisecond)
		spans = append(spans, map[string]any{"traceId": trace, "spanId": id, "parentSpanId": parent, "kind": 2,
			"name":              pick(r, []string{"GET /cart", "POST /orders", "SELECT", "charge", "reserve"}),
			"startTimeUnixNano": strconv.FormatInt(began.UnixNano(), 10),
			"endTimeUnixNano":   strconv.FormatInt(began.Add(time.Duration(r.IntN(200))*time.Millisecond).UnixNano(), 10),
			"attributes": []any{attribute("http.method", "GET"), attribute("tenant", fmt.Sprintf("t%d", r.IntN(100))),
				attribute("http.url", "https://example.com/"+pick(r, words))}})
		parent = id
	}
	body, _ := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{ // texts and numbers
		"resource":   map[string]any{"attributes": []any{attribute("service.name", pick(r, jaegerServices))}},
		"scopeSpans": []any{map[string]any{"spans": spans}}}}})
	return string(body)
}

func loadJaeger(ctx context.Context, on Target) error {
	produce := browser(on, "http://"+on.Other, func(r *rand.Rand) request {
		time.Sleep(5 * time.Millisecond) // faster than they are stored, the queue fills, and answers say so
		return post("/v1/traces", jaegerSpans(r))
	})
	look := browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
		of := url.Values{"service": {pick(r, jaegerServices)}, "limit": {"20"}, "lookback": {"1h"}}
		switch r.IntN(5) {
		case 0:
			return get("/api/services")
		case 1:
			return get("/api/services/" + of.Get("service") + "/operations")
		case 2:
			of.Set("tags", fmt.Sprintf(`{"tenant":"t%d"}`, r.IntN(100)))
		case 3:
			of.Set("minDuration", "100ms")
		}
		return get("/api/traces?" + of.Encode())
	})
	return together(ctx, append(times(3, produce), times(3, look)...)...)
}
