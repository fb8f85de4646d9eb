package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestFinalizersQueued: the collector's work for finalizers counts, whoever sets them.
func TestFinalizersQueued(t *testing.T) {
	const (
		queue = "runtime.lock2 runtime.queuefinalizer runtime.freeSpecial runtime.(*sweepLocked).sweep runtime.bgsweep"
		mark  = "runtime.scanobject runtime.gcScanFinalizer runtime.markrootSpans runtime.gcDrain " +
			"runtime.gcBgMarkWorker"
	)
	for _, tt := range []struct {
		name      string
		ticks     map[string]int64 // of 1,000
		metrics   string
		low, high int
	}{
		{"set, marked and queued", map[string]int64{finStack: 20, queue: 50, mark: 50, workStack: 880}, "{}", 25, 74},
		{"set seldom", map[string]int64{finStack: 20, workStack: 980}, "{}", 0, 0},
		{"set seldom, and many wait to run", map[string]int64{finStack: 20, workStack: 980},
			`{"/gc/finalizers/queued:finalizers": 2000000, "/gc/finalizers/executed:finalizers": 1000}`, 25, 100},
		{"set seldom, and all have run", map[string]int64{finStack: 20, workStack: 980},
			`{"/gc/finalizers/queued:finalizers": 2000000, "/gc/finalizers/executed:finalizers": 1999990}`, 0, 0},
		{"nobody is seen to set them", map[string]int64{queue: 100, mark: 100, workStack: 800}, "{}", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.ticks),
				{Name: "vars.json", Kind: casefile.Metrics, Taken: noon, Data: []byte(tt.metrics)}}}, "gc-finalizers")
			if got < tt.low || got > tt.high || got > 0 && f.Where[0].Function != "main.newBuffer" {
				t.Errorf("scores %d at %v, want %d to %d at main.newBuffer", got, f.Where, tt.low, tt.high)
			}
		})
	}
}
