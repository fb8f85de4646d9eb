package holmes

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

//go:noinline
func makeOnce(n int) []byte { return make([]byte, n) }

// What was made a moment ago is in the dump, although the process had no reason to collect twice since. It stands
// first, before the many small things that a test binary holds.
func TestMemDumpShowsWhatWasJustMade(t *testing.T) {
	dir := t.TempDir()
	h := mustNew(t, WithTextDump(), WithDumpPath(dir))
	r := &run{h: h}
	runtime.GC()
	kept := makeOnce(1 << 30) // not written to, so that it takes no memory
	r.freshen(t.Context())
	r.snapshot(dump{kind: mem, at: time.Now()}, mem)
	runtime.KeepAlive(kept)
	files, err := filepath.Glob(filepath.Join(dir, "mem.*.log"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the dumps are %v (%v)", files, err)
	}
	text, err := os.ReadFile(files[0])
	must(t, err)
	first, _, _ := strings.Cut(string(text), "\n\n")
	if !strings.Contains(first, "\n1: 1073741824 [1: 1073741824] @") || !strings.Contains(first, "holmes.makeOnce") {
		t.Errorf("the first entry is not the gibibyte that is held:\n%s", first)
	}
}

// A profile that says what is in the heap is not paid for with a collection, and there is no other one soon.
func TestFreshenIsRare(t *testing.T) {
	r := &run{h: mustNew(t)}
	cycles := newMetric(metricCycles)
	sampled := makeOnce(64 << 20) // of the small heap of a test binary the profile may have no sample
	runtime.GC()
	before := cycles.read()
	r.freshen(t.Context())
	if !r.collectFrom.IsZero() {
		t.Errorf("a collection was asked for right after another one, at cycle %g", before)
	}
	runtime.KeepAlive(sampled)
	r.collectFrom = time.Now().Add(time.Hour)
	kept := makeOnce(1 << 30)
	until := r.collectFrom
	r.freshen(t.Context())
	if r.collectFrom != until {
		t.Error("a collection was asked for before its time")
	}
	r.collectFrom = time.Time{}
	began := time.Now()
	r.freshen(t.Context())
	runtime.KeepAlive(kept)
	if took := time.Since(began); r.collectFrom.Before(began) {
		t.Errorf("after %s the next collection may be at %s, before the last one", took, r.collectFrom)
	}
}

func TestIsStale(t *testing.T) {
	for _, c := range []struct {
		profiled, heap float64
		want           bool
	}{
		{12 << 20, 1 << 30, true},
		{500 << 20, 900 << 20, false}, // garbage since the last cycle, with GOGC=100
		{900 << 20, 500 << 20, false}, // freed since
		{math.NaN(), 1 << 30, false},  // MemProfileRate is 0
		{0, math.NaN(), false},
	} {
		if got := isStale(c.profiled, c.heap); got != c.want {
			t.Errorf("%g bytes of %g are profiled: stale %t, want %t", c.profiled, c.heap, got, c.want)
		}
	}
}

// Small objects are in the profile as one in many.
func TestInUseIsScaled(t *testing.T) {
	r := runtime.MemProfileRecord{AllocObjects: 10, AllocBytes: 1000, FreeObjects: 5, FreeBytes: 500}
	if got := inUse(&r, 512<<10); got < 5*(512<<10)*0.99 || got > 5*(512<<10)*1.01 {
		t.Errorf("5 samples of 100 bytes stand for %g bytes, want those of 5 times the rate", got)
	}
	r = runtime.MemProfileRecord{AllocObjects: 2, AllocBytes: 2 << 30, FreeObjects: 1, FreeBytes: 1 << 30}
	if got := inUse(&r, 512<<10); got != 1<<30 {
		t.Errorf("a gibibyte counts as %g bytes", got)
	}
	if got := inUse(&runtime.MemProfileRecord{}, 512<<10); got != 0 {
		t.Errorf("nothing counts as %g bytes", got)
	}
}
