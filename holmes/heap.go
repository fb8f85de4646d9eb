package holmes

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// A heap profile shows the heap at the end of the last collection but one: a process of 20 MB that has just made a
// slice of a gibibyte, and so will not collect soon, has a profile of 20 MB. mosn.io/holmes dumps that. A collection
// that is asked for makes the profile one of now (runtime/mprof.go, mProfCycle).

// staleHeap is the share of the heap below which a profile of it is too old to say what is in it. With GOGC=100 a
// profile that is one cycle old has half of the heap or more; what it lacks is new, or garbage.
const staleHeap = 0.5

const (
	metricObjects   = "/memory/classes/heap/objects:bytes" // the heap that is in use or not yet swept
	metricAllocated = "/gc/heap/allocs:bytes"              // since the process started
	metricMapped    = "/memory/classes/total:bytes"
	metricReturned  = "/memory/classes/heap/released:bytes" // of what is mapped
)

// A heapState is what the heap profile would show, beside what the runtime counts. All are bytes.
type heapState struct {
	profiled, heap      float64 // in use
	recorded, allocated float64 // since the process started
	resident            float64 // of the memory that the runtime has
}

func readHeap() heapState {
	inUse, recorded := profiledHeap()
	return heapState{
		profiled: inUse, heap: newMetric(metricObjects).read(),
		recorded: recorded, allocated: newMetric(metricAllocated).read(),
		resident: newMetric(metricMapped).read() - newMetric(metricReturned).read(),
	}
}

// isStale reports whether the profile lacks half of the heap. Or most of the memory is free, and the profile lacks what
// may have filled it: a slice of a gibibyte that was made and freed within a cycle is resident, and in no entry.
func (s heapState) isStale() bool {
	if s.profiled < staleHeap*s.heap {
		return true
	}
	return s.heap < staleHeap*s.resident && s.allocated-s.recorded > staleHeap*s.resident
}

// Bounds of what collections cost: one is waited for this long, and there is no next one until a hundred times as long
// as it took has passed. While it runs the collector has a quarter of the CPU.
const (
	collectPatience = 5 * time.Second
	collectPause    = 100
)

// freshen has the garbage collected if the heap profile says little of the present heap. Only the dumper calls it.
func (r *run) freshen(ctx context.Context) {
	now := time.Now()
	if now.Before(r.collectFrom) || !readHeap().isStale() {
		return
	}
	collected := make(chan struct{})
	own.In(&r.work, func() {
		defer close(collected)
		runtime.GC()
	})
	patience := time.NewTimer(collectPatience)
	defer patience.Stop()
	select {
	case <-collected:
	case <-patience.C:
	case <-ctx.Done():
	}
	r.collectFrom = now.Add(collectPause * time.Since(now))
}

// profiledHeap is how many bytes are in use by the runtime's heap profile, and how many were allocated: NaN where there
// is none.
func profiledHeap() (inUse, allocated float64) {
	rate := runtime.MemProfileRate
	if rate <= 0 {
		return math.NaN(), math.NaN()
	}
	for _, r := range heapRecords() {
		inUse += scaled(r.InUseBytes(), r.InUseObjects(), rate)
		allocated += scaled(r.AllocBytes, r.AllocObjects, rate)
	}
	return inUse, allocated
}

// heapRecords are those of all places that allocated.
func heapRecords() []runtime.MemProfileRecord {
	n, ok := runtime.MemProfile(nil, true)
	for !ok {
		records := make([]runtime.MemProfileRecord, n+50) // some may come
		if n, ok = runtime.MemProfile(records, true); ok {
			return records[:n]
		}
	}
	return nil
}

// scaled estimates the bytes of a place from its samples, as runtime/pprof does (protomem.go, scaleHeapSample).
func scaled(bytes, objects int64, rate int) float64 {
	if objects <= 0 {
		return 0
	}
	size := float64(bytes) / float64(objects)
	return float64(bytes) / (1 - math.Exp(-size/float64(rate)))
}
