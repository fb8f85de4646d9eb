package instance

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

func TestSelf(t *testing.T) {
	self := NewSelf()
	d, err := self.Describe(t.Context())
	if err != nil || d.PID == 0 || d.Build.GoVersion != runtime.Version() {
		t.Errorf("described as %+v, %v", d, err)
	}
	at := time.Now()
	read := func() vitals.Sample {
		at = at.Add(time.Second)
		s := vitals.NewSample(at)
		if err := self.Sample(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(math.MaxInt64)
	first := read()
	if _, ok := first.Get(vitals.AllocRate); ok {
		t.Error("the first sample has a rate")
	}
	runtime.GC()
	contend()
	s := read()
	positive := []vitals.ID{
		vitals.Goroutines, vitals.HeapAlloc, vitals.HeapLive, vitals.HeapGoal, vitals.AllocRate, vitals.GCRate,
		vitals.GCPause, vitals.GCCPU,
		vitals.MutexWait, vitals.SchedLatencyP50, vitals.SchedLatencyP99, vitals.GoMemory, vitals.GoMaxProcs,
	}
	if runtime.GOOS == "linux" {
		positive = append(positive, vitals.CPU, vitals.CPUShare, vitals.CPULimit, vitals.RSS, vitals.OpenFiles,
			vitals.OpenFilesShare, vitals.Threads)
	}
	if has("/sched/goroutines/waiting:goroutines") {
		positive = append(positive, vitals.GoroutinesWaiting, vitals.GoroutinesCreated, vitals.Threads)
	}
	for _, id := range positive {
		if v, ok := s.Get(id); !ok || v <= 0 {
			t.Errorf("%s is %g (present: %v), want more than 0", id, v, ok)
		}
	}
	for _, id := range []vitals.ID{vitals.GCAssist, vitals.GCLimiter, vitals.CgoCalls} {
		if v, ok := s.Get(id); !ok || v < 0 {
			t.Errorf("%s is %g (present: %v), want 0 or more", id, v, ok)
		}
	}
	if assist, all := s.Values[vitals.GCAssist], s.Values[vitals.GCCPU]; assist > all {
		t.Errorf("gc_assist is %g, more than gc_cpu, %g, of which it is a part", assist, all)
	}
	if v := s.Values[vitals.GoMemoryLimit]; v != 1<<40 {
		t.Errorf("go_memory_limit is %g, want 1 TiB", v)
	}
	if p50, p99 := s.Values[vitals.SchedLatencyP50], s.Values[vitals.SchedLatencyP99]; p50 > p99 {
		t.Errorf("the median, %g, is above the 99th percentile, %g", p50, p99)
	}
	again := read()
	if v, ok := again.Get(vitals.GCCPU); ok && again.Values[vitals.GCRate] == 0 {
		t.Errorf("gc_cpu is %g without a GC cycle; unknown is not a number", v)
	}
	for id := range vitals.ID(vitals.NumSignals) {
		_, ok := s.Get(id)
		if why := self.Absent()[id.String()]; ok == (why != "") && id != vitals.GCCPU && id != vitals.GCAssist &&
			id != vitals.HeapLive && id != vitals.DiskAwait { // the reasons are those of the second sample
			t.Errorf("%s: present is %v, and the reason of its absence is %q", id, ok, why)
		}
	}
	debug.SetMemoryLimit(math.MaxInt64)
	again = read()
	if v, ok := again.Get(vitals.GoMemoryLimit); ok || self.Absent()["go_memory_limit"] == "" {
		t.Errorf("go_memory_limit is %g without a limit; want it absent, with a reason", v)
	}
}

// has reports whether this Go version has a metric.
func has(metric string) bool {
	return slices.ContainsFunc(metrics.All(), func(d metrics.Description) bool { return d.Name == metric })
}

func TestSelfSampleAllocatesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere nothing is promised")
	}
	self := NewSelf()
	at := time.Now()
	sample := func() {
		at = at.Add(time.Second)
		s := vitals.NewSample(at)
		if err := self.Sample(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
	}
	sample() // reads the table of connections, as it does every acceptedEvery: that opens files
	if n := testing.AllocsPerRun(13, sample); n != 0 {
		t.Errorf("a sample allocates %g times", n)
	}
}

// The limiter's metric is the GC cycle in which it last ran: only a change means that it came on.
func TestGCLimiter(t *testing.T) {
	var absent reasons
	r := newRuntimeReader(&absent)
	r.at = time.Unix(1000, 0)
	for _, c := range []struct{ last, now, want float64 }{{0, 0, 0}, {0, 17, 1}, {17, 17, 0}, {17, 18, 1}} {
		r.last[mGCLimiter], r.now[mGCLimiter] = c.last, c.now
		s := vitals.NewSample(time.Unix(1001, 0))
		r.since(&s)
		if got, ok := s.Get(vitals.GCLimiter); !ok || got != c.want {
			t.Errorf("last enabled in cycle %g, then %g: %g (present: %v), want %g", c.last, c.now, got, ok, c.want)
		}
	}
}

// A metric that this Go version lacks makes its own signal absent, with a reason, and nothing else.
func TestMissingMetric(t *testing.T) {
	var absent reasons
	r := newRuntimeReader(&absent)
	for _, m := range []int{mGoroutinesWaiting, mGoroutinesCreated, mThreads} {
		r.samples[m].Name = "/unknown:" + metricNames[m]
	}
	for i := range 2 {
		s := vitals.NewSample(time.Unix(int64(1000+i), 0))
		r.sample(&s, &absent)
		for _, id := range []vitals.ID{vitals.GoroutinesWaiting, vitals.GoroutinesCreated, vitals.Threads} {
			if v, ok := s.Get(id); ok {
				t.Errorf("sample %d: %s is %g without its metric", i, id, v)
			}
		}
		if _, ok := s.Get(vitals.Goroutines); !ok {
			t.Errorf("sample %d: goroutines are absent too", i)
		}
	}
	for id, metric := range map[vitals.ID]string{
		vitals.GoroutinesWaiting: "/sched/goroutines/waiting:goroutines",
		vitals.GoroutinesCreated: "/sched/goroutines-created:goroutines",
		vitals.Threads:           "/sched/threads/total:threads",
	} {
		if why := absent.all()[id.String()]; strings.Contains(why, metric) == has(metric) {
			t.Errorf("this Go has %s: %v; the reason of %s's absence is %q", metric, has(metric), id, why)
		}
	}
}

// contend makes goroutines wait for a lock, often, because the runtime measures the waits of one goroutine in eight.
func contend() {
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				mu.Lock()
				time.Sleep(100 * time.Microsecond)
				mu.Unlock()
			}
		})
	}
	group.Wait()
}

func BenchmarkSelfSample(b *testing.B) {
	self := NewSelf()
	b.ReportAllocs()
	for b.Loop() {
		s := vitals.NewSample(time.Now())
		if err := self.Sample(b.Context(), &s); err != nil {
			b.Fatal(err)
		}
	}
}
