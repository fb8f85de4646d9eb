package instance

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime/metrics"
)

// A bucket is one bucket of a runtime histogram as JSON: its lower bound, its upper bound and its count. A bound that
// is infinite is null.
type bucket [3]any

// allMetrics is every metric of runtime/metrics as one JSON object, name → value. A histogram is
// {"buckets": [[from, to, count], …]} without the empty ones. A number that JSON cannot say (NaN, infinite) is null.
func allMetrics() ([]byte, error) {
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i := range all {
		samples[i].Name = all[i].Name
	}
	metrics.Read(samples)
	values := make(map[string]any, len(samples))
	for i := range samples {
		values[samples[i].Name] = metricJSON(samples[i].Value)
	}
	data, err := json.MarshalIndent(values, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encoding runtime/metrics: %w", err)
	}
	return data, nil
}

func metricJSON(v metrics.Value) any {
	switch v.Kind() {
	case metrics.KindUint64:
		return v.Uint64()
	case metrics.KindFloat64:
		return finite(v.Float64())
	case metrics.KindFloat64Histogram:
		return map[string][]bucket{"buckets": filled(v.Float64Histogram())}
	}
	return nil // a kind of a later Go version
}

func filled(h *metrics.Float64Histogram) []bucket {
	buckets := []bucket{}
	for i, n := range h.Counts {
		if n > 0 && i+1 < len(h.Buckets) {
			buckets = append(buckets, bucket{finite(h.Buckets[i]), finite(h.Buckets[i+1]), n})
		}
	}
	return buckets
}

// finite is v, or nil where JSON has no number for it.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}
