package casebook

import (
	"runtime"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// newProber is a prober of this process, as loop makes it, with a gauge beside the target.
func newProber(tb testing.TB) *prober {
	tb.Helper()
	w, err := New(Config{Dir: tb.TempDir(), Windows: -1, TraceCost: -1, Sources: []vitals.Source{
		Gauge("queue_length", vitals.Count, func() float64 { return 7 }),
	}})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := w.begin()
	if err != nil {
		tb.Fatal(err)
	}
	d, err := w.describe(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	w.openBox(d)
	tb.Cleanup(func() { w.closeBox(); w.end() })
	for _, f := range s.feeds {
		go f.run(tb.Context())
	}
	return &prober{w: w, s: s, interval: time.Second}
}

// A tick with the default rules, a gauge and the black box allocates nothing: a guest that makes garbage is seen in
// its host's profiles.
func TestTickAllocatesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is read without allocating on Linux only")
	}
	p := newProber(t)
	ctx := t.Context()
	for range 3 {
		p.tick(ctx)
	}
	if n := testing.AllocsPerRun(200, func() { p.tick(ctx) }); n != 0 {
		t.Errorf("a tick allocates %g times, want 0", n)
	}
	id, _ := p.w.catalog.Lookup("queue_length")
	if v, ok := p.w.last.Get(id); !ok || v != 7 {
		t.Errorf("the gauge reads %g, %v; want 7", v, ok)
	}
}

// What one tick of the own process costs: sampling, the default rules, history, black box.
func BenchmarkTick(b *testing.B) {
	p := newProber(b)
	p.s.feeds = nil // the gauge's goroutine would be measured, too
	ctx := b.Context()
	p.tick(ctx)
	b.ReportAllocs()
	for b.Loop() {
		p.tick(ctx)
	}
}
