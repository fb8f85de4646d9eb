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

// metricObjects is the heap that is in use or not yet swept.
const metricObjects = "/memory/classes/heap/objects:bytes"

// Bounds of what collections cost: one is waited for this long, and there is no next one until a hundred times as long
// as it took has passed. While it runs the collector has a quarter of the CPU.
const (
	collectPatience = 5 * time.Second
	collectPause    = 100
)

// freshen has the garbage collected if the heap profile says little of the present heap. Only the dumper calls it.
func (r *run) freshen(ctx context.Context) {
	now := time.Now()
	if now.Before(r.collectFrom) || !isStale(profiledHeap(), newMetric(metricObjects).read()) {
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

func isStale(profiled, heap float64) bool { return profiled < staleHeap*heap }

// profiledHeap is how many bytes are in use by the runtime's heap profile: NaN where there is none.
func profiledHeap() (bytes float64) {
	rate := runtime.MemProfileRate
	if rate <= 0 {
		return math.NaN()
	}
	for _, r := range heapRecords() {
		bytes += inUse(&r, float64(rate))
	}
	return bytes
}

// heapRecords are those of places with something in use.
func heapRecords() []runtime.MemProfileRecord {
	n, ok := runtime.MemProfile(nil, false)
	for !ok {
		records := make([]runtime.MemProfileRecord, n+50) // some may come
		if n, ok = runtime.MemProfile(records, false); ok {
			return records[:n]
		}
	}
	return nil
}

// inUse estimates the bytes in use of a place from its samples, as runtime/pprof does (protomem.go, scaleHeapSample).
func inUse(r *runtime.MemProfileRecord, rate float64) float64 {
	if r.InUseObjects() <= 0 {
		return 0
	}
	size := float64(r.InUseBytes()) / float64(r.InUseObjects())
	return float64(r.InUseBytes()) / (1 - math.Exp(-size/rate))
}
