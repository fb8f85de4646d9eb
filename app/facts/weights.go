package facts

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// weights say how much of what people feel each resource can be, 0 to 1. The harm of a fact is its part of a resource
// times the resource's weight, so facts of several resources stand in one order.
type weights struct {
	latency, memory, cpu float64
	files                float64
}

// Levels of resources between which a weight rises evenly. A service with one request in progress makes nobody wait;
// ten at one place are no coincidence (package wait), hundreds a queue that people feel. Of a heap below 8 MiB nothing
// is worth freeing; 64 MiB is the floor of the built-in rules. CPU is felt from 70 % of what may be used on
// (diagnose, level.saturated), and is worth saving below it.
const (
	fewRequests, manyRequests = 1, 100
	smallHeap, largeHeap      = 8 << 20, 256 << 20
	littleCPU, mostCPU        = 0.02, 0.7
)

// Weights of a resource that is hardly used, of one that is not known, and of one that is used much.
const (
	leastWeight, unknownWeight, mostWeight = 0.1, 0.4, 0.9
)

// level is a weight by how far a value is between two levels, on a scale of powers.
func level(v, low, high float64) float64 {
	if !(v > low) {
		return leastWeight
	}
	return leastWeight + (mostWeight-leastWeight)*min(math.Log(v/low)/math.Log(high/low), 1)
}

// weigh finds the weights: by what is measured, and by what tripped.
func (b *builder) weigh() {
	b.weight = weights{latency: level(b.waiting(), fewRequests, manyRequests), memory: b.memoryWeight(),
		cpu: b.cpuWeight(), files: b.filesWeight()}
	for _, t := range b.r.Triggers {
		if w := b.weight.of(t); w != nil {
			*w = 1
		}
	}
}

// waiting is how many are in progress or wait for locks at a time, by what shows most: captures, a trace (Little's law:
// the time of all requests by the time of the trace), the runtime's count, a mutex profile.
func (b *builder) waiting() float64 {
	requests := max(float64(b.served())/float64(max(b.trace.Span, 1)), b.mean(vitals.MutexWait))
	if set := b.r.Gained(casefile.Mutex); set != nil && set.Seconds > 0 {
		delay := stacks.ByValue(set.Value("delay", "nanoseconds"))
		requests = max(requests, float64(set.Total(delay))/1e9/set.Seconds)
	}
	for _, n := range b.graph.Requests {
		requests = max(requests, float64(n))
	}
	return requests
}

func (b *builder) memoryWeight() float64 {
	most := 0.0
	if v, ok := b.r.Mean(vitals.HeapLive); ok {
		most = v
	}
	if b.heap != nil {
		most = max(most, b.heap.Now.Bytes)
	}
	if p := b.report.Picture; p != nil && p.Memory != nil {
		most = max(most, anonymous(p.Memory))
	}
	w := level(most, smallHeap, largeHeap)
	if used, ok := b.r.Mean(vitals.MemoryShare); ok && used > mostCPU {
		w = max(w, mostWeight)
	}
	return w
}

func (b *builder) cpuWeight() float64 {
	if used, ok := b.r.Mean(vitals.CPUShare); ok {
		return level(used, littleCPU, mostCPU)
	}
	return unknownWeight
}

// filesWeight is how much of what people feel descriptors can be: those that become more, in minutes.
func (b *builder) filesWeight() float64 {
	at := b.r.TroubleAt()
	now, before := b.r.ValueAt(vitals.OpenFiles, at), b.r.Earlier(vitals.OpenFiles, at)
	switch used, ok := b.r.Mean(vitals.OpenFilesShare); {
	case ok && used > mostCPU:
		return mostWeight
	case now != nil && before != nil && *now-*before >= moreFiles:
		return unknownWeight
	}
	return leastWeight
}

// moreFiles is by how many descriptors more are more than connections that come and go.
const moreFiles = 50

// of is the weight of what a rule watches; nil where that is none of these.
func (w *weights) of(t casefile.Trigger) *float64 {
	id, ok := vitals.Lookup(t.Signal)
	switch {
	case !ok && t.Signal == "" && t.Value > 0: // goroutines that wait
		return &w.latency
	case !ok:
		return nil
	case slices.Contains(memorySignals, id):
		return &w.memory
	case slices.Contains(cpuSignals, id):
		return &w.cpu
	case id == vitals.OpenFiles, id == vitals.OpenFilesShare:
		return &w.files
	}
	return &w.latency
}

// The signals of memory and of CPU; the others are of latency.
var (
	memorySignals = []vitals.ID{vitals.HeapAlloc, vitals.HeapLive, vitals.HeapGoal, vitals.HeapObjects, vitals.Stacks,
		vitals.GoMemory, vitals.RSS, vitals.RSSAnon, vitals.OffHeap, vitals.OffHeapAnon, vitals.MemoryShare,
		vitals.MemoryHeadroom, vitals.MemoryPressure}
	cpuSignals = []vitals.ID{vitals.CPU, vitals.CPUShare, vitals.Throttled, vitals.ThrottledCores, vitals.CPUPressure,
		vitals.CPUSystem, vitals.GCCPU, vitals.GCAssist, vitals.GCLimiter, vitals.GCRate, vitals.GCPause,
		vitals.AllocRate, vitals.AllocObjectRate, vitals.SchedLatencyP50, vitals.SchedLatencyP99,
		vitals.GoroutinesRunnable}
)
