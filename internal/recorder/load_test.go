package recorder

import (
	"math"
	"testing"
	"time"
)

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
