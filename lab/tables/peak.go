package tables

import (
	"context"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// peakEvery is how often memory is looked at while a contestant runs.
const peakEvery = time.Millisecond

// turnWithPeak runs one contestant once, on a heap that was just collected, and says by how many bytes heap and stacks
// grew at the most. What the runtime keeps of goroutines that have ended (some 400 bytes each) stays from turn to turn,
// as in a service.
func turnWithPeak(ctx context.Context, c contestant, n int) (cost, float64, error) {
	runtime.GC()
	runtime.GC() // the second frees what finalizers and the stack cache held in the first
	before := heapAndStacks()
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	peak := before
	wg.Go(func() { peak = watchPeak(ctx, before) })
	took, err := turn(c, n)
	stop()
	wg.Wait()
	return took, peak - before, err
}

// watchPeak looks until ctx ends.
func watchPeak(ctx context.Context, peak float64) float64 {
	tick := time.NewTicker(peakEvery)
	defer tick.Stop()
	for {
		peak = max(peak, heapAndStacks())
		select {
		case <-ctx.Done():
			return peak
		case <-tick.C:
		}
	}
}

func heapAndStacks() float64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return float64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}
