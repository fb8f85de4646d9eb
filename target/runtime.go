package target

import (
	"math"
	"runtime/metrics"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// The runtime's metrics that are read, in the order of runtimeReader.samples.
const (
	mGoroutines = iota
	mHeapObjectsBytes
	mHeapGoal
	mHeapObjects
	mAllocBytes
	mAllocObjects
	mStacks
	mMemoryTotal
	mMemoryReleased
	mGCCycles
	mGCPauses
	mGCTotalCPU
	mGCIdleCPU
	mCPUTotal
	mMutexWait
	mSchedLatencies
	numMetrics
)

var metricNames = [numMetrics]string{
	mGoroutines:       "/sched/goroutines:goroutines",
	mHeapObjectsBytes: "/memory/classes/heap/objects:bytes",
	mHeapGoal:         "/gc/heap/goal:bytes",
	mHeapObjects:      "/gc/heap/objects:objects",
	mAllocBytes:       "/gc/heap/allocs:bytes",
	mAllocObjects:     "/gc/heap/allocs:objects",
	mStacks:           "/memory/classes/heap/stacks:bytes",
	mMemoryTotal:      "/memory/classes/total:bytes",
	mMemoryReleased:   "/memory/classes/heap/released:bytes",
	mGCCycles:         "/gc/cycles/total:gc-cycles",
	mGCPauses:         "/sched/pauses/total/gc:seconds",
	mGCTotalCPU:       "/cpu/classes/gc/total:cpu-seconds",
	mGCIdleCPU:        "/cpu/classes/gc/mark/idle:cpu-seconds",
	mCPUTotal:         "/cpu/classes/total:cpu-seconds",
	mMutexWait:        "/sync/mutex/wait/total:seconds",
	mSchedLatencies:   "/sched/latencies:seconds",
}

// A runtimeReader turns runtime/metrics into signals. Reading allocates nothing after the first time.
type runtimeReader struct {
	samples []metrics.Sample
	now     [numMetrics]float64
	last    [numMetrics]float64
	at      time.Time // of last; zero for never

	gcCycles, gcCPU, gcAvailable float64 // when a GC cycle last ended: /cpu/classes move only then

	pauses, latencies histogram
}

func newRuntimeReader() runtimeReader {
	r := runtimeReader{samples: make([]metrics.Sample, numMetrics)}
	for i, name := range metricNames {
		r.samples[i].Name = name
	}
	return r
}

func (r *runtimeReader) sample(s *vitals.Sample) {
	metrics.Read(r.samples)
	for i := range r.samples {
		r.now[i] = number64(&r.samples[i])
	}
	for _, g := range [...]struct {
		id     vitals.ID
		metric int
	}{
		{vitals.Goroutines, mGoroutines}, {vitals.HeapAlloc, mHeapObjectsBytes}, {vitals.HeapGoal, mHeapGoal},
		{vitals.HeapObjects, mHeapObjects}, {vitals.Stacks, mStacks},
	} {
		s.Set(g.id, r.now[g.metric])
	}
	s.Set(vitals.GoMemory, r.now[mMemoryTotal]-r.now[mMemoryReleased])
	pause, paused := r.pauses.since(&r.samples[mGCPauses], 1)
	latency, waited := r.latencies.since(&r.samples[mSchedLatencies], 0.99)
	if !r.at.IsZero() {
		r.rates(s)
		if paused {
			s.Set(vitals.GCPause, pause)
		}
		if waited {
			s.Set(vitals.SchedLatencyP99, latency)
		}
	}
	r.gcShare(s)
	r.last, r.at = r.now, s.Time
}

func (r *runtimeReader) rates(s *vitals.Sample) {
	dt := s.Time.Sub(r.at).Seconds()
	if dt <= 0 {
		return
	}
	for _, g := range [...]struct {
		id     vitals.ID
		metric int
	}{
		{vitals.AllocRate, mAllocBytes}, {vitals.AllocObjectRate, mAllocObjects},
		{vitals.GCRate, mGCCycles}, {vitals.MutexWait, mMutexWait},
	} {
		s.Set(g.id, (r.now[g.metric]-r.last[g.metric])/dt)
	}
}

// gcShare is (gc/total − gc/mark/idle) / total between the ends of two GC cycles. Without a cycle it is unknown, not 0.
func (r *runtimeReader) gcShare(s *vitals.Sample) {
	cycles, gc, available := r.now[mGCCycles], r.now[mGCTotalCPU]-r.now[mGCIdleCPU], r.now[mCPUTotal]
	if cycles == r.gcCycles {
		return
	}
	if d := available - r.gcAvailable; r.gcAvailable > 0 && d > 0 {
		s.Set(vitals.GCCPU, min(max((gc-r.gcCPU)/d, 0), 1))
	}
	r.gcCycles, r.gcCPU, r.gcAvailable = cycles, gc, available
}

// number64 is NaN for a metric that this Go version does not have, and for a histogram.
func number64(m *metrics.Sample) float64 {
	switch m.Value.Kind() {
	case metrics.KindUint64:
		return float64(m.Value.Uint64())
	case metrics.KindFloat64:
		return m.Value.Float64()
	}
	return math.NaN()
}

// A histogram remembers the counts of a runtime histogram, to tell what came since.
type histogram struct{ last []uint64 }

// since is the q-quantile (upper bound of its bucket) of what came since the call before, and whether anything came.
func (h *histogram) since(m *metrics.Sample, q float64) (float64, bool) {
	if m.Value.Kind() != metrics.KindFloat64Histogram {
		return 0, false
	}
	now := m.Value.Float64Histogram()
	if len(h.last) != len(now.Counts) {
		h.last = make([]uint64, len(now.Counts))
	}
	var total uint64
	for i, c := range now.Counts {
		h.last[i] = c - h.last[i] // the difference, for this call
		total += h.last[i]
	}
	value, found := quantile(h.last, now.Buckets, uint64(math.Ceil(q*float64(total))))
	copy(h.last, now.Counts)
	return value, found && total > 0
}

// quantile is the upper bound of the bucket that holds the n-th value.
func quantile(counts []uint64, buckets []float64, n uint64) (float64, bool) {
	var sum uint64
	for i, c := range counts {
		if sum += c; sum >= n && c > 0 {
			upper := buckets[i+1]
			if math.IsInf(upper, 1) {
				upper = buckets[i]
			}
			return upper, true
		}
	}
	return 0, false
}
