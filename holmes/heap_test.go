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
	if !strings.Contains(first, "\n1: 1073741824 [") || !strings.Contains(first, "holmes.makeOnce") {
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
	const mib, gib = 1 << 20, 1 << 30
	for _, c := range []struct {
		name  string
		state heapState
		want  bool
	}{
		{"made just now", heapState{profiled: 12 * mib, heap: gib}, true},
		{"garbage since the last cycle, with GOGC=100", heapState{profiled: 500 * mib, heap: 900 * mib}, false},
		{"freed since, and in the profile", heapState{profiled: 900 * mib, heap: 500 * mib}, false},
		{"MemProfileRate is 0", heapState{profiled: math.NaN(), heap: gib, recorded: math.NaN(), allocated: gib}, false},
		{"no metrics", heapState{heap: math.NaN(), allocated: math.NaN(), resident: math.NaN()}, false},
		{"made and freed within a cycle", heapState{profiled: 2 * mib, heap: 2 * mib, recorded: 4 * mib,
			allocated: gib + 4*mib, resident: gib + 20*mib}, true},
		{"freed, and in the profile", heapState{profiled: 2 * mib, heap: 2 * mib, recorded: gib + 4*mib,
			allocated: gib + 8*mib, resident: gib + 20*mib}, false},
		{"two cycles' garbage", heapState{profiled: 400 * mib, heap: 500 * mib, recorded: 90 * gib,
			allocated: 90*gib + 800*mib, resident: 900 * mib}, false},
	} {
		if got := c.state.isStale(); got != c.want {
			t.Errorf("%s: stale %t, want %t", c.name, got, c.want)
		}
	}
}

// Small objects are in the profile as one in many.
func TestRecordsAreScaled(t *testing.T) {
	const rate = 512 << 10
	if got := scaled(500, 5, rate); got < 5*rate*0.99 || got > 5*rate*1.01 {
		t.Errorf("5 samples of 100 bytes stand for %g bytes, want those of 5 times the rate", got)
	}
	if got := scaled(1<<30, 1, rate); got != 1<<30 {
		t.Errorf("a gibibyte counts as %g bytes", got)
	}
	if got := scaled(0, 0, rate); got != 0 {
		t.Errorf("nothing counts as %g bytes", got)
	}
}
