package target

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
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
	first := read()
	if _, ok := first.Get(vitals.AllocRate); ok {
		t.Error("the first sample has a rate")
	}
	runtime.GC()
	contend()
	s := read()
	for _, id := range []vitals.ID{vitals.Goroutines, vitals.HeapAlloc, vitals.HeapGoal, vitals.AllocRate, vitals.GCRate, vitals.GCPause, vitals.GCCPU, vitals.MutexWait, vitals.SchedLatencyP99, vitals.GoMemory} {
		if v, ok := s.Get(id); !ok || v <= 0 {
			t.Errorf("%s is %g (present: %v), want more than 0", id, v, ok)
		}
	}
	again := read()
	if v, ok := again.Get(vitals.GCCPU); ok && again.Values[vitals.GCRate] == 0 {
		t.Errorf("gc_cpu is %g without a GC cycle; unknown is not a number", v)
	}
	for id := range vitals.ID(vitals.NumSignals) {
		_, ok := s.Get(id)
		if !ok && self.Absent()[id.String()] == "" {
			t.Errorf("%s is absent without a reason", id)
		}
	}
}

// contend makes goroutines wait for a lock, often: the runtime measures the waits of one goroutine in eight.
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

func TestSelfCapture(t *testing.T) {
	self := NewSelf()
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.ThreadCreate} {
		p, err := self.Capture(t.Context(), kind, 50*time.Millisecond)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if _, err := profile.ParseData(p.Data); err != nil {
			t.Errorf("%s is not a profile: %v", kind, err)
		}
	}
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
