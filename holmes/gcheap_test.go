package holmes

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// holmes takes half of the next goal for the live heap, which is right with GOGC=100 only.
func TestLiveHeapWithAnyGOGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	kept := make([]byte, 64<<20)
	source := sources()[0]
	for _, gogc := range []int{50, 100, 400} {
		debug.SetGCPercent(gogc)
		runtime.GC()
		values := []float64{math.NaN()}
		must(t, source.Read(context.Background(), values))
		if got := values[0] / (1 << 20); !(got >= 64 && got < 90) {
			t.Errorf("with GOGC=%d the live heap is %.1f MiB, want 64 and the rest of the test", gogc, got)
		}
	}
	runtime.KeepAlive(kept)
}
