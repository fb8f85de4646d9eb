package holmes

import (
	"context"
	"math"
	"runtime/metrics"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// Metrics of the runtime that the GC heap needs.
const (
	metricLive   = "/gc/heap/live:bytes" // what the last GC cycle found live
	metricCycles = "/gc/cycles/total:gc-cycles"
)

// A metric is one number of runtime/metrics.
type metric struct{ sample [1]metrics.Sample }

func newMetric(name string) *metric { return &metric{[1]metrics.Sample{{Name: name}}} }

func (m *metric) read() float64 {
	metrics.Read(m.sample[:])
	if m.sample[0].Value.Kind() != metrics.KindUint64 {
		return math.NaN()
	}
	return float64(m.sample[0].Value.Uint64())
}

// How the end of a GC cycle is waited for. The runtime forces a cycle after two minutes, so that only a process with
// GOGC=off waits longer.
const (
	cyclePoll     = 20 * time.Millisecond
	cyclePatience = 150 * time.Second
)

// dumpHeapTwice dumps the heap now and after the next GC cycle: what only the first holds was garbage.
func (r *run) dumpHeapTwice(ctx context.Context, d dump) {
	cycles := newMetric(metricCycles)
	first := cycles.read()
	r.snapshot(d, gcHeap)
	own.In(&r.work, func() {
		if nextCycle(ctx, cycles.read, first) {
			d.at = time.Now()
			r.guard(ctx, func(context.Context) { r.snapshot(d, gcHeap) })
		}
	})
}

// nextCycle waits until another GC cycle than the first has ended, or for as long as that can take. It reports false
// when ctx ended before.
func nextCycle(ctx context.Context, cycles func() float64, first float64) bool {
	for waited := time.Duration(0); waited < cyclePatience && cycles() == first; waited += cyclePoll {
		if !sleep(ctx, cyclePoll) {
			return false
		}
	}
	return ctx.Err() == nil
}
