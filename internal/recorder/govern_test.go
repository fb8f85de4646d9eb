package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/filetest"
)

// newTestGovernor has limits of 1 %, 5 % when armed, and 64 MiB.
func newTestGovernor(t *testing.T) governor {
	t.Helper()
	cfg, err := TraceConfig{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return newGovernor(cfg)
}

// saturated is the estimate of a process that uses both of its cores, by the recorder's share of that.
func saturated(share, bytes float64) estimate {
	return estimate{cpu: 2 * share, bytes: bytes, used: 2, procs: 2}
}

// idle is that of a process that does nothing.
func idle() estimate { return load{procs: 2, used: 0.002}.estimated() }

var governed = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) // when the tests begin

func TestGovernor(t *testing.T) {
	type stretch struct {
		seconds int
		est     estimate
		warn    bool // at its start
		run     bool // wanted at its end
	}
	at := func(seconds int, share float64, run bool) stretch {
		return stretch{seconds, saturated(share, 0), false, run}
	}
	warned := func(seconds int, share float64, run bool) stretch {
		return stretch{seconds, saturated(share, 0), true, run}
	}
	doingNothing := func(seconds int, run bool) stretch { return stretch{seconds, idle(), false, run} }
	for _, tt := range []struct {
		name      string
		stretches []stretch
	}{
		{"idle from the start", []stretch{doingNothing(10, false), doingNothing(1, true)}},
		{"cheap from the start", []stretch{at(10, 0.002, false), at(1, 0.002, true)}},
		{"costly from the start", []stretch{at(600, 0.02, false)}},
		{"a peak does not end it", []stretch{at(11, 0.002, true), at(1, 0.03, true), at(60, 0.002, true)}},
		{"what a peak owes is paid by cheap seconds", []stretch{at(11, 0.002, true), at(1, 0.03, true),
			at(60, 0.002, true), at(1, 0.03, true)}},
		{"lasting cost ends it", []stretch{at(11, 0.002, true), at(11, 0.0105, false)}},
		{"the account ends it sooner", []stretch{at(11, 0.002, true), at(1, 0.03, true), at(1, 0.03, false)}},
		{"idle seconds pay nothing", []stretch{doingNothing(11, true), at(1, 0.03, true), doingNothing(5, true),
			at(1, 0.03, false), doingNothing(300, false)}},
		{"an hour of doing nothing forgives", []stretch{doingNothing(11, true), at(3, 0.06, false),
			doingNothing(3600, true), at(3, 0.06, false)}},
		{"busy seconds without it pay", []stretch{at(11, 0.002, true), at(3, 0.06, false), at(9, 0.002, false),
			at(11, 0.002, true)}},
		{"too much memory ends it soon", []stretch{at(11, 0.002, true), {4, saturated(0.002, 35e6), false, false}}},
		{"memory is enough", []stretch{{11, saturated(0.002, 10e6), false, true}}},
		{"at the limit it does not flap", []stretch{at(11, 0.002, true), at(600, 0.009, true), at(11, 0.011, false),
			at(600, 0.009, false)}},
		{"a warning arms it", []stretch{at(20, 0.03, false), warned(59, 0.03, true), at(2, 0.03, false)}},
		{"a further warning prolongs", []stretch{at(20, 0.03, false), warned(59, 0.03, true), warned(59, 0.03, true),
			at(2, 0.03, false)}},
		{"further warnings do not for ever", []stretch{at(20, 0.03, false), warned(59, 0.03, true),
			warned(59, 0.03, true), warned(59, 0.03, false)}},
		{"armed, but beyond all limits", []stretch{at(20, 0.2, false), warned(30, 0.2, false)}},
		{"armed, and then beyond all limits", []stretch{at(20, 0.03, false), warned(5, 0.03, true),
			at(5, 0.2, false), at(5, 0.03, false), at(10, 0.03, true)}},
		{"armed before anything is known", []stretch{warned(1, 0.03, true)}},
		{"armed while cheap, then costly", []stretch{at(11, 0.002, true), warned(30, 0.03, true), at(31, 0.03, false)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, now := newTestGovernor(t), governed
			for i, s := range tt.stretches {
				if s.warn {
					g.arm(now, now.Add(time.Minute), "rule gc-cpu")
				}
				for range s.seconds {
					g.step(now, s.est)
					now = now.Add(time.Second)
				}
				if g.run != s.run {
					t.Fatalf("stretch %d: it wants run=%t, want %t (%.3g s owed)", i, g.run, s.run, g.owed)
				}
			}
		})
	}
}

// A service of bursts with pauses between them, as the one that the recorder cost 6 % of CPU a request.
func TestGovernorBoundsBusySeconds(t *testing.T) {
	for _, tt := range []struct {
		name string
		est  func(second int) estimate
	}{
		{"a saturated second in eight", func(i int) estimate {
			if i%8 == 0 {
				return saturated(0.06, 0)
			}
			return idle()
		}},
		{"an eighth of each second", func(int) estimate { return estimate{cpu: 0.03, used: 0.5, procs: 2} }},
		{"always", func(int) estimate { return saturated(0.06, 0) }},
		{"cheap work and costly in turns", func(i int) estimate {
			if i%40 < 20 {
				return saturated(0.002, 0)
			}
			return saturated(0.04, 0)
		}},
		{"a costly minute each quarter of an hour", func(i int) estimate {
			if i%900 < 60 {
				return saturated(0.06, 0)
			}
			return idle()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, cost, used, forgiven := newTestGovernor(t), 0.0, 0.0, 1.0
			for i := range 3600 {
				e := tt.est(i)
				if e.busy() && g.run {
					cost += e.cpu
				}
				if e.busy() {
					used += e.used
				}
				owed := g.owed
				g.step(governed.Add(time.Duration(i)*time.Second), e)
				if owed > 0 && g.owed == 0 && !e.busy() {
					forgiven++
				}
			}
			// A step is a second: one more may pass before the account is looked at.
			if most := 0.01*used + forgiven*(g.allowance()+0.12); cost > most {
				t.Errorf("it cost %.3g s of the %.3g s of CPU of busy seconds, want at most %.3g", cost, used, most)
			}
		})
	}
}

// Whatever the cost, the recorder changes state rarely: each change stops the world.
func TestGovernorDoesNotFlap(t *testing.T) {
	g := newTestGovernor(t)
	changes, last := 0, false
	for i := range 3600 {
		share := 0.002
		if i%7 < 3 {
			share = 0.03
		}
		g.step(governed.Add(time.Duration(i)*time.Second), saturated(share, 0))
		if g.run != last {
			changes, last = changes+1, g.run
		}
	}
	if changes > 1 {
		t.Errorf("%d changes in an hour of a cost that goes up and down each 7 s, want one at most", changes)
	}
}

func TestUntilCalm(t *testing.T) {
	const d = 10 * time.Second
	for _, tt := range []struct {
		name     string
		busy     func(at time.Duration) bool // burns one core then
		unknown  bool
		want     time.Duration
		cutAfter time.Duration
	}{
		{name: "idle", busy: func(time.Duration) bool { return false }, want: d},
		{name: "always busy", busy: func(time.Duration) bool { return true }, want: d},
		{name: "a spike before", busy: func(at time.Duration) bool {
			return at > 9*time.Second &&
				at < 9500*time.Millisecond
		}, want: d},
		{name: "a spike across", busy: func(at time.Duration) bool {
			return at > 9800*time.Millisecond &&
				at < 10250*time.Millisecond
		}, want: 10400 * time.Millisecond},
		{name: "busy from then on", busy: func(at time.Duration) bool { return at > 9800*time.Millisecond },
			want: 2 * d},
		{name: "busy, but not known", unknown: true,
			busy: func(at time.Duration) bool { return at > 9800*time.Millisecond }, want: d},
		{name: "cut early", busy: func(time.Duration) bool { return false }, want: 3 * time.Second,
			cutAfter: 3 * time.Second},
		{name: "cut while busy", busy: func(at time.Duration) bool { return at > 9800*time.Millisecond },
			want: 12 * time.Second, cutAfter: 12 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				cpu := func() (used time.Duration, ok bool) { // to 10 ms
					for at := time.Duration(0); at < time.Since(began); at += 10 * time.Millisecond {
						if tt.busy(at) {
							used += 10 * time.Millisecond
						}
					}
					return used, !tt.unknown
				}
				cut := make(chan struct{})
				if tt.cutAfter > 0 {
					go func() { time.Sleep(tt.cutAfter); close(cut) }()
				}
				untilCalm(t.Context(), cut, d, cpu)
				if got := time.Since(began); got != tt.want {
					t.Errorf("it ended after %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// fakeTake gives windows that are numbered.
type fakeTake struct {
	mu    sync.Mutex
	n     int
	fails []error // of the next attempts, one each; nil: succeeds
	stiff bool    // cannot be cut
}

func (f *fakeTake) take(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
	f.mu.Lock()
	f.n++
	n, stiff := f.n, f.stiff
	var err error
	if len(f.fails) > 0 {
		err, f.fails = f.fails[0], f.fails[1:]
	}
	f.mu.Unlock()
	if err != nil {
		return Window{}, err
	}
	if stiff {
		cut = nil
	}
	w := Window{Began: time.Now(), Data: filetest.Gzip(fmt.Sprint("window ", n))}
	select {
	case <-time.After(d):
	case <-cut:
	case <-ctx.Done():
	}
	w.Ended = time.Now()
	return w, nil
}

var errInUse = errors.New("starting the CPU profile: cpu profiling already in use")

// runCPU runs a recorder in a bubble until the test ends, and waits until its first window has begun.
func runCPU(t *testing.T, cfg CPUConfig) *CPU {
	t.Helper()
	c, err := NewCPU(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run ended with %v", err)
		}
	})
	synctest.Wait()
	return c
}

// The error has no name in runtime/pprof; if its text changes, this fails.
func TestInUse(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip("somebody else holds the CPU profiler: ", err) // go test -cpuprofile
	}
	defer pprof.StopCPUProfile()
	if _, err := takeSelf(t.Context(), nil, time.Second); err == nil || !inUse(err) {
		t.Errorf("a second profile gave %v, want an error that inUse knows", err)
	}
}

// runReal records this process until stop is called, and waits until a first profile has begun.
func runReal(t testing.TB, cfg CPUConfig) (c *CPU, stop func()) {
	t.Helper()
	c, err := NewCPU(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	for c.Cut(ctx) == nil { // the profiler is on once a window could be cut
		if s := c.Status(); s.State == StandingBack {
			cancel()
			t.Fatalf("the recorder is %s: %s", s.State, s.Why)
		}
		runtime.Gosched()
	}
	return c, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Idle time beside it changes nothing of what a recorder costs of the CPU that is used.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		name string
		est  estimate
		want float64
	}{
		{"saturated", estimate{cpu: 0.12, used: 2, procs: 2}, 0.06},
		{"busy for a quarter of the time", estimate{cpu: 0.03, used: 0.5, procs: 2}, 0.06},
		{"idle", estimate{cpu: 0.0014, used: 0.002, procs: 2}, 0.0028},
		{"nobody knows what is used", estimate{cpu: 0.12, procs: 2}, 0.24},
		{"many cores", estimate{cpu: 0.12, used: 40, procs: 64}, 0.003},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.est.share(); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("%g, want %g", got, tt.want)
			}
		})
	}
}

// The counters count what a load does, whichever way the runtime samples them.
func TestLoadCounts(t *testing.T) {
	const times = 20_000
	for _, tt := range []struct {
		name  string
		start func(testing.TB) func()
		of    func(load) float64
		each  float64 // events a time
	}{
		{"switches", pingPong, func(l load) float64 { return l.switches }, 2},
		{"created", spawn, func(l load) float64 { return l.created }, 1},
		{"read", reads, func(l load) float64 { return l.syscalls }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			once := tt.start(t)
			r := newLoadReader()
			defer r.close()
			now := time.Now()
			if _, ok := r.read(now); ok {
				t.Error("the first reading gave a load")
			}
			for range times {
				once()
			}
			l, ok := r.read(now.Add(time.Second))
			got := tt.of(l)
			if math.IsNaN(got) {
				t.Skip("this system or Go version does not count it")
			}
			if want := times * tt.each; !ok || got < 0.8*want || got > 1.3*want {
				t.Errorf("%.0f a second, want about %.0f", got, want)
			}
			if _, ok := r.read(now.Add(time.Second)); ok {
				t.Error("no time had passed, and yet it gave a load")
			}
		})
	}
}

func TestEstimate(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name  string
		load  load
		cpu   float64
		bytes float64
	}{
		{"nothing known", load{nan, nan, nan, nan, nan, nan, nan, nan}, 0.0014, 60_000},
		{"idle, 2 procs", load{procs: 2}, 0.0014, 60_000},
		{"10,000 switches", load{switches: 10_000, procs: 2}, 0.0044, 270_000},
		{"10,000 goroutines", load{switches: 20_000, created: 10_000, procs: 2}, 0.0054, 270_000},
		{"100,000 parked", load{goroutines: 100_000, procs: 2}, 0.0414, 2_260_000},
		{"a counter that ran backwards", load{switches: -1e9, procs: 2}, 0.0014, 60_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := tt.load.estimated()
			if math.Abs(e.cpu-tt.cpu) > 1e-9 || math.Abs(e.bytes-tt.bytes) > 1e-3 {
				t.Errorf("%+v, want %g of a core and %g bytes a second", e, tt.cpu, tt.bytes)
			}
		})
	}
}
