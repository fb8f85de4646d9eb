package instance

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// The runtime's metrics that are read, in the order of runtimeReader.samples.
const (
	mGoroutines = iota
	mGoroutinesRunnable
	mGoroutinesWaiting
	mGoroutinesCreated
	mGoMaxProcs
	mThreads
	mCgoCalls
	mHeapObjectsBytes
	mHeapLive
	mHeapGoal
	mHeapObjects
	mAllocBytes
	mAllocObjects
	mStacks
	mMemoryTotal
	mMemoryReleased
	mMemoryLimit
	mGCCycles
	mGCForced
	mGCPauses
	mGCTotalCPU
	mGCIdleCPU
	mGCAssistCPU
	mGCLimiter
	mCPUTotal
	mMutexWait
	mSchedLatencies
	numMetrics
)

var metricNames = [numMetrics]string{
	mGoroutines:         "/sched/goroutines:goroutines",
	mGoroutinesRunnable: "/sched/goroutines/runnable:goroutines",
	mGoroutinesWaiting:  "/sched/goroutines/waiting:goroutines",
	mGoroutinesCreated:  "/sched/goroutines-created:goroutines",
	mGoMaxProcs:         "/sched/gomaxprocs:threads",
	mThreads:            "/sched/threads/total:threads",
	mCgoCalls:           "/cgo/go-to-c-calls:calls",
	mHeapObjectsBytes:   "/memory/classes/heap/objects:bytes",
	mHeapLive:           "/gc/heap/live:bytes",
	mHeapGoal:           "/gc/heap/goal:bytes",
	mHeapObjects:        "/gc/heap/objects:objects",
	mAllocBytes:         "/gc/heap/allocs:bytes",
	mAllocObjects:       "/gc/heap/allocs:objects",
	mStacks:             "/memory/classes/heap/stacks:bytes",
	mMemoryTotal:        "/memory/classes/total:bytes",
	mMemoryReleased:     "/memory/classes/heap/released:bytes",
	mMemoryLimit:        "/gc/gomemlimit:bytes",
	mGCCycles:           "/gc/cycles/total:gc-cycles",
	mGCForced:           "/gc/cycles/forced:gc-cycles",
	mGCPauses:           "/sched/pauses/total/gc:seconds",
	mGCTotalCPU:         "/cpu/classes/gc/total:cpu-seconds",
	mGCIdleCPU:          "/cpu/classes/gc/mark/idle:cpu-seconds",
	mGCAssistCPU:        "/cpu/classes/gc/mark/assist:cpu-seconds",
	mGCLimiter:          "/gc/limiter/last-enabled:gc-cycle",
	mCPUTotal:           "/cpu/classes/total:cpu-seconds",
	mMutexWait:          "/sync/mutex/wait/total:seconds",
	mSchedLatencies:     "/sched/latencies:seconds",
}

// A metricSignal says which metric a signal comes from.
type metricSignal struct {
	id     vitals.ID
	metric int
}

// gauges are the signals that are one metric, unchanged.
var gauges = [...]metricSignal{
	{vitals.Goroutines, mGoroutines},
	{vitals.GoroutinesRunnable, mGoroutinesRunnable},
	{vitals.GoroutinesWaiting, mGoroutinesWaiting},
	{vitals.GoMaxProcs, mGoMaxProcs},
	{vitals.HeapAlloc, mHeapObjectsBytes},
	{vitals.HeapGoal, mHeapGoal},
	{vitals.HeapObjects, mHeapObjects},
	{vitals.Stacks, mStacks},
}

// rates are the signals that are the growth of a metric per second.
var rates = [...]metricSignal{
	{vitals.AllocRate, mAllocBytes},
	{vitals.AllocObjectRate, mAllocObjects},
	{vitals.GCRate, mGCCycles},
	{vitals.GCForced, mGCForced},
	{vitals.GoroutinesCreated, mGoroutinesCreated},
	{vitals.CgoCalls, mCgoCalls},
	{vitals.MutexWait, mMutexWait},
}

// A runtimeReader turns runtime/metrics into signals. Reading allocates nothing after the first time.
type runtimeReader struct {
	samples []metrics.Sample
	now     [numMetrics]float64 // NaN for a metric that this Go version does not have, and for a histogram
	last    [numMetrics]float64
	at      time.Time // of last; zero for never

	gc gcMark // when a GC cycle last ended

	pauses, latencies histogram
}

// newRuntimeReader also says which signals this Go version cannot give.
func newRuntimeReader(absent *reasons) runtimeReader {
	r := runtimeReader{samples: make([]metrics.Sample, numMetrics)}
	for i, name := range metricNames {
		r.samples[i].Name = name
	}
	metrics.Read(r.samples)
	for _, table := range [...][]metricSignal{gauges[:], rates[:], {{vitals.Threads, mThreads}}} {
		for _, g := range table {
			if r.samples[g.metric].Value.Kind() == metrics.KindBad {
				absent.set(fmt.Sprintf("runtime/metrics of %s has no %s", runtime.Version(), metricNames[g.metric]),
					g.id)
			}
		}
	}
	return r
}

// sample reads every metric. Threads are set only where s has none yet.
func (r *runtimeReader) sample(s *vitals.Sample, absent *reasons) {
	metrics.Read(r.samples)
	for i := range r.samples {
		r.now[i] = number64(&r.samples[i])
	}
	for _, g := range gauges {
		s.Set(g.id, r.now[g.metric])
	}
	if _, ok := s.Get(vitals.Threads); !ok {
		s.Set(vitals.Threads, r.now[mThreads])
	}
	s.Set(vitals.GoMemory, r.now[mMemoryTotal]-r.now[mMemoryReleased])
	if limit := r.now[mMemoryLimit]; limit >= math.MaxInt64 {
		absent.set("GOMEMLIMIT is not set", vitals.GoMemoryLimit)
	} else {
		s.Set(vitals.GoMemoryLimit, limit)
	}
	r.pauses.advance(&r.samples[mGCPauses])
	r.latencies.advance(&r.samples[mSchedLatencies])
	if !r.at.IsZero() {
		r.since(s)
	}
	r.gcShares(s)
	r.last, r.at = r.now, s.Time
}

// since sets the signals that are differences to the sample before.
func (r *runtimeReader) since(s *vitals.Sample) {
	s.Set(vitals.GCPause, r.pauses.quantile(1))
	s.Set(vitals.SchedLatencyP50, r.latencies.quantile(0.5))
	s.Set(vitals.SchedLatencyP99, r.latencies.quantile(0.99))
	limited := 0.0
	if r.now[mGCLimiter] != r.last[mGCLimiter] {
		limited = 1
	}
	s.Set(vitals.GCLimiter, limited)
	if dt := s.Time.Sub(r.at).Seconds(); dt > 0 {
		for _, g := range rates {
			s.Set(g.id, (r.now[g.metric]-r.last[g.metric])/dt)
		}
	}
}

// A gcMark is what the process's CPU time was spent on until the end of a GC cycle, in seconds: the runtime computes
// /cpu/classes only then.
type gcMark struct{ cycles, collector, assist, available float64 }

// gcShares sets gc_cpu, (gc/total − gc/mark/idle) / total, and gc_assist, gc/mark/assist / total, between the ends of
// two GC cycles, and what the last one left. Without a cycle they are unknown, not 0.
func (r *runtimeReader) gcShares(s *vitals.Sample) {
	now := gcMark{r.now[mGCCycles], r.now[mGCTotalCPU] - r.now[mGCIdleCPU], r.now[mGCAssistCPU], r.now[mCPUTotal]}
	if now.cycles == r.gc.cycles {
		return
	}
	s.Set(vitals.HeapLive, r.now[mHeapLive])
	if d := now.available - r.gc.available; r.gc.available > 0 && d > 0 {
		s.Set(vitals.GCCPU, min(max((now.collector-r.gc.collector)/d, 0), 1))
		s.Set(vitals.GCAssist, min(max((now.assist-r.gc.assist)/d, 0), 1))
	}
	r.gc = now
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

// A pauseMeter tells how long the world was stopped while something was done.
//
// The runtime counts every stop in histograms (/sched/pauses/total/…, Go 1.22 and later), whose buckets are a quarter
// of a power of two wide, so that the answer is an upper bound and at most 25 % too high. Stops that somebody else
// caused in the meantime are in it, too.
type pauseMeter struct {
	samples []metrics.Sample
	seen    []histogram
}

// newPauseMeter measures from now on the stops that are not the collector's, and with gc those of the collector, too.
func newPauseMeter(gc bool) *pauseMeter {
	names := []string{"/sched/pauses/total/other:seconds"}
	if gc {
		names = append(names, "/sched/pauses/total/gc:seconds")
	}
	m := &pauseMeter{samples: make([]metrics.Sample, len(names)), seen: make([]histogram, len(names))}
	for i, name := range names {
		m.samples[i].Name = name
	}
	m.longest()
	return m
}

// longest is the longest stop since the last call, 0 if there was none or if this Go version does not tell.
func (m *pauseMeter) longest() time.Duration {
	metrics.Read(m.samples)
	var longest float64
	for i := range m.samples {
		m.seen[i].advance(&m.samples[i])
		if s := m.seen[i].quantile(1); !math.IsNaN(s) {
			longest = max(longest, s)
		}
	}
	return time.Duration(longest * float64(time.Second))
}
