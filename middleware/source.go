package middleware

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// The order of the values that a reader gives.
const (
	rate = iota
	inFlight
	latencyP50
	latencyP99
	errorShare
	numValues
)

// Source gives the built-in signals http_rate, http_in_flight, http_latency_p50, http_latency_p99 and http_errors, of
// the time since it was read before, at first since now. Latencies are right to 3.2 %. Without a request in that time
// http_rate is 0 and http_errors is absent; latencies are absent unless a request is in flight for longer. Each watcher
// needs a Source of its own: what one reader has seen, a second one of the same Source does not see.
func (m *Meter) Source() vitals.Source {
	r := &reader{meter: m, read: m.now()}
	r.advance() // what came before is not news
	return vitals.Source{
		Name: "HTTP requests",
		Signals: []vitals.Signal{
			rate:       vitals.HTTPRate.Signal(),
			inFlight:   vitals.HTTPInFlight.Signal(),
			latencyP50: vitals.HTTPLatencyP50.Signal(),
			latencyP99: vitals.HTTPLatencyP99.Signal(),
			errorShare: vitals.HTTPErrors.Signal(),
		},
		Read: r.Read,
	}
}

// A reader tells what came since it read before.
type reader struct {
	meter *Meter

	mu       sync.Mutex // guards what follows
	read     int64      // when, on the Meter's clock
	buckets  delta[[numBuckets]uint64]
	outcomes delta[[numOutcomes]uint64]
}

// A delta is counts as they were read last, and what they grew by then.
type delta[T any] struct{ last, came T }

// Read fills in the values. It allocates nothing and does not wait.
func (r *reader) Read(_ context.Context, values []float64) error {
	if len(values) < numValues {
		return fmt.Errorf("reading the HTTP requests: room for %d of %d values", len(values), numValues)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.meter.now()
	interval := now - r.read
	if interval <= 0 {
		return nil // there is no rate over no time
	}
	r.read = now
	r.advance()
	under := r.addUnderWay(now, interval)

	var finished uint64
	for _, n := range r.outcomes.came {
		finished += n
	}
	values[rate] = float64(finished) / time.Duration(interval).Seconds()
	values[inFlight] = float64(under)
	values[latencyP50] = quantile(&r.buckets.came, 0.50)
	values[latencyP99] = quantile(&r.buckets.came, 0.99)
	values[errorShare] = math.NaN()
	if finished > 0 {
		values[errorShare] = float64(r.outcomes.came[failed]+r.outcomes.came[panicked]) / float64(finished)
	}
	return nil
}

// advance notes by how much the counts grew.
func (r *reader) advance() {
	var buckets [numBuckets]uint64
	var outcomes [numOutcomes]uint64
	for i := range r.meter.shards {
		for b := range buckets {
			buckets[b] += r.meter.shards[i].buckets[b].Load()
		}
	}
	r.meter.outcomes(&outcomes)
	for b, n := range buckets {
		r.buckets.came[b] = n - r.buckets.last[b]
	}
	for o, n := range outcomes {
		r.outcomes.came[o] = n - r.outcomes.last[o]
	}
	r.buckets.last, r.outcomes.last = buckets, outcomes
}

// addUnderWay adds the ages of the requests in flight for longer than the interval to the latencies. Slots are read
// after the counts (request.finish).
func (r *reader) addUnderWay(now, interval int64) (underWay int) {
	return r.meter.inflight.each(func(start int64) {
		if age := now - start; age > interval {
			r.buckets.came[bucketOf(age)]++
		}
	})
}
