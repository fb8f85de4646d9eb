package holmes

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// holmes uses half of the next goal as the live heap, which is right only with GOGC=100.
func TestLiveHeapWithAnyGOGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	kept := make([]byte, 64<<20)
	here := newTarget(new(record))
	for _, gogc := range []int{50, 100, 400} {
		debug.SetGCPercent(gogc)
		runtime.GC()
		s := vitals.NewSample(time.Now())
		must(t, here.Sample(t.Context(), &s))
		if got := s.Values[liveHeapID] / (1 << 20); !(got >= 64 && got < 90) {
			t.Errorf("with GOGC=%d the live heap is %.1f MiB, want 64 and the rest of the test", gogc, got)
		}
	}
	runtime.KeepAlive(kept)
}

// The IDs are those of the catalog that the watch makes of the signals.
func TestSignalsHaveTheirIDs(t *testing.T) {
	catalog, err := vitals.NewCatalog(signals()...)
	must(t, err)
	ids := kindIDs()
	for name, want := range map[string]vitals.ID{
		liveHeap: liveHeapID, gcHeap.limitSignal(): ids[gcHeap].limit,
		mem.limitSignal(): ids[mem].limit, "rss": ids[mem].value,
	} {
		if id, ok := catalog.Lookup(name); !ok || id != want {
			t.Errorf("%s has the ID %d, want %d", name, id, want)
		}
	}
}

// A tick of the process with holmes' signals makes no garbage.
func TestSampleDoesNotAllocate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is read without allocating on Linux only")
	}
	here, s := newTarget(new(record)), vitals.NewSample(time.Now())
	must(t, here.Sample(t.Context(), &s))
	if n := testing.AllocsPerRun(100, func() { _ = here.Sample(t.Context(), &s) }); n > 0 {
		t.Errorf("a sample makes %g allocations, want none", n)
	}
}
