package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"time"

	"github.com/gocasebook/casebook/casefile"
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

// profileWaits takes the waits for locks and channels in the next d.
func (p *Profile) profileWaits(ctx context.Context, d time.Duration, most int) error {
	// the block profile's rate cannot be read
	recording := p.Kind == casefile.Mutex && runtime.SetMutexProfileFraction(-1) > 0
	if !recording && pprof.Lookup(p.Kind).Count() == 0 {
		return notArmed(p.Kind)
	}
	return p.profileGrowth(ctx, d, most)
}

// profileGrowth takes what a cumulative profile grows by in the next d, or until ctx ends if that is sooner; its total
// when d is 0, or when there are more than so many records: two profiles are too big then to subtract them in a
// service.
func (p *Profile) profileGrowth(ctx context.Context, d time.Duration, most int) (err error) {
	began := time.Now()
	if p.Data, err = snapshot(p.Kind); err != nil || d <= 0 {
		return err
	}
	if n := pprof.Lookup(p.Kind).Count(); n > most {
		p.note(tooBigToSubtract(n))
		return nil
	}
	subtracting := context.WithoutCancel(ctx) // an end of ctx cuts the time short, and what there is until then counts
	base, err := newBaseline(subtracting, nil, p.Data)
	if err != nil {
		return err
	}
	p.Data = nil // the baseline is enough, and d may be long
	p.span(ctx, d-time.Since(began), nil)
	if p.Data, err = snapshot(p.Kind); err != nil {
		return err
	}
	if n := pprof.Lookup(p.Kind).Count(); n > most {
		p.Seconds = 0
		p.note(tooBigToSubtract(n))
		return nil
	}
	return p.subtract(subtracting, base, time.Since(began))
}
