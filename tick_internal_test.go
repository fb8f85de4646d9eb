package casebook

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// newProber returns a prober of this process, as loop makes it, with one gauge beside the target.
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

// A tick with the default rules, a gauge and the black box allocates nothing: garbage of the guest would show in its
// host's profiles.
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

// What one tick of the own process costs: sampling, the default rules, the history and the black box.
func BenchmarkTick(b *testing.B) {
	p := newProber(b)
	p.s.feeds = nil // else the gauge's goroutine would be measured as well
	ctx := b.Context()
	p.tick(ctx)
	b.ReportAllocs()
	for b.Loop() {
		p.tick(ctx)
	}
}

// The first sample after a change of the interval comes a whole interval later, the shorter one of the two. A Set that
// changes rules only delays no sample.
func TestNextSampleAfterSet(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name     string
		from, to time.Duration
		want     []time.Duration // between samples, the first since the Set half a second after a sample
	}{
		{"longer", s, 5 * s, []time.Duration{s, 5 * s, 5 * s}},
		{"shorter", 5 * s, s, []time.Duration{s, s, s}},
		{"the same", s, s, []time.Duration{s / 2, s, s}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := New(Config{Dir: t.TempDir(), Interval: c.from})
			if err != nil {
				t.Fatal(err)
			}
			<-w.retick // of New
			synctest.Test(t, func(t *testing.T) {
				w.retick = make(chan struct{}, 1)
				p := &prober{w: w, interval: c.from}
				ticker := time.NewTicker(c.from)
				defer ticker.Stop()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				p.wait(ctx, ticker)
				go func() {
					time.Sleep(s / 2)
					if err := w.Set(Settings{Interval: c.to, Rules: w.settings.Rules}); err != nil {
						t.Error(err)
					}
				}()
				last := time.Now().Add(s / 2)
				for i, want := range c.want {
					p.wait(ctx, ticker)
					if got := time.Since(last); got != want {
						t.Errorf("sample %d came after %s, want %s", i+1, got, want)
					}
					last = time.Now()
				}
			})
		})
	}
}
