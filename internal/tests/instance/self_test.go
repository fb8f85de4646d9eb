package instance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

func TestSelf(t *testing.T) {
	self := instance.NewSelf()
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
	self := instance.NewSelf()
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
	self := instance.NewSelf()
	b.ReportAllocs()
	for b.Loop() {
		s := vitals.NewSample(time.Now())
		if err := self.Sample(b.Context(), &s); err != nil {
			b.Fatal(err)
		}
	}
}

// A parkedCapture is what testdata/parked prints.
type parkedCapture struct {
	Kind        string
	Pause, Cost time.Duration
	Bytes       int
	Err         string
}

// captureParked runs testdata/parked and returns what it captured, by kind.
func captureParked(t *testing.T, goroutines string) map[string]parkedCapture {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "parked")
	build := exec.Command("go", "build", "-o", bin, "./testdata/parked")
	build.Env = append(os.Environ(), "GOWORK=off") // in a module cache go.work names modules that are not there
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building testdata/parked: %v\n%s", err, out)
	}
	out, err := exec.Command(bin, "-n", goroutines).Output()
	if err != nil {
		t.Fatal(err)
	}
	captures := make(map[string]parkedCapture)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var c parkedCapture
		if err := dec.Decode(&c); errors.Is(err, io.EOF) {
			return captures
		} else if err != nil {
			t.Fatal(err)
		}
		captures[c.Kind] = c
		t.Logf("%s goroutines, %s: world stopped for at most %s, %s of work, %d bytes %s", goroutines, c.Kind, c.Pause,
			c.Cost, c.Bytes, c.Err)
	}
}

// With 100,000 goroutines the profile is taken, the length of its stop of the world is known, and what would stop the
// world for long is refused.
func TestManyGoroutines(t *testing.T) {
	if testing.Short() {
		t.Skip("parks 100,000 goroutines")
	}
	got := captureParked(t, "100000")
	if c := got[casefile.Goroutine]; c.Err != "" || c.Pause <= 0 || c.Bytes == 0 {
		t.Errorf("the goroutine profile is %+v; want it taken, with the stop of the world that it caused", c)
	}
	if c := got[casefile.GoroutineDump]; !strings.Contains(c.Err, "there are 100001 goroutines") || c.Bytes != 0 {
		t.Errorf("the goroutine dump is %+v; want it refused, with the reason", c)
	}
	if c := got["census"]; !strings.Contains(c.Err, "no census is taken") {
		t.Errorf("the census is %+v; want it refused, with the reason", c)
	}
}

// With the largest number of goroutines that are still dumped, 20 frames deep: the dump is there, and its cost is
// known.
func TestDumpedGoroutines(t *testing.T) {
	if c := captureParked(t, "990")[casefile.GoroutineDump]; c.Err != "" || c.Pause <= 0 || c.Bytes < 990*20 {
		t.Errorf("the goroutine dump is %+v; want it taken, with the stop of the world that it caused", c)
	}
}

func capture(t *testing.T, kind string, d time.Duration) instance.Profile {
	t.Helper()
	p, err := instance.NewSelf().Capture(t.Context(), kind, d)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	if p.Kind != kind || p.Taken.IsZero() {
		t.Errorf("%s: it is called %q, taken at %s", kind, p.Kind, p.Taken)
	}
	return p
}

// wantEmpty wants an EmptyError and no data.
func wantEmpty(t *testing.T, p instance.Profile, err error, reason string) {
	t.Helper()
	var empty *instance.EmptyError
	if !errors.As(err, &empty) || !strings.Contains(err.Error(), reason) || len(p.Data) > 0 {
		t.Errorf("error is %v with %d bytes, want an EmptyError with %q in it and no data", err, len(p.Data), reason)
	}
}

// waitingFor lists the goroutines that have a function on their stacks.
func waitingFor(function string) []string {
	buf := make([]byte, 1<<20)
	var found []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, function+"(") {
			found = append(found, g)
		}
	}
	return found
}

func TestSelfDump(t *testing.T) {
	gate := make(chan struct{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { <-gate })
	}
	for len(waitingFor("instance_test.TestSelfDump.func1")) < 20 {
		runtime.Gosched()
	}
	p := capture(t, casefile.GoroutineDump, 0)
	if n := bytes.Count(p.Data, []byte("[chan receive")); n < 20 {
		t.Errorf("%d goroutines receive, want 20 at least, in\n%s", n, p.Data)
	}
	if p.Pause <= 0 {
		t.Error("a dump stops the world, and the capture does not say so")
	}
	for range maxDumped {
		group.Go(func() { <-gate })
	}
	refused, err := instance.NewSelf().Capture(t.Context(), casefile.GoroutineDump, 0)
	wantEmpty(t, refused, err, "at most 4000 are dumped")
	close(gate)
	group.Wait()
}

func TestSelfTraceBusy(t *testing.T) {
	var other bytes.Buffer
	if err := trace.Start(&other); err != nil {
		t.Skip("somebody else traces this test: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := instance.NewSelf().Capture(ctx, casefile.Trace, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "waiting for the execution tracer, which somebody else holds") {
		t.Errorf("error is %v", err)
	}
	go func() {
		for len(waitingFor("instance.(*Profile).acquire")) == 0 || len(waitingFor("instance.sleep")) == 0 {
			runtime.Gosched()
		}
		trace.Stop()
	}()
	p := capture(t, casefile.Trace, 20*time.Millisecond)
	if !strings.Contains(p.Note, "got it at attempt ") {
		t.Errorf("the note is %q, want it to say that somebody else traced", p.Note)
	}
}

func TestSelfPrometheus(t *testing.T) {
	p, err := instance.NewSelf().Capture(t.Context(), casefile.Prometheus, 0)
	wantEmpty(t, p, err, "no page of Prometheus metrics is configured")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		fmt.Fprint(w, "go_goroutines 7\n")
	}))
	defer srv.Close()
	self := instance.NewSelf()
	self.PrometheusURL = srv.URL + "/metrics"
	if p, err = self.Capture(t.Context(), casefile.Prometheus, 0); err != nil || string(p.Data) != "go_goroutines 7" {
		t.Errorf("%q, %v", p.Data, err)
	}
	self.PrometheusURL = "/metrics"
	if _, err := self.Capture(t.Context(), casefile.Prometheus, 0); err == nil ||
		!strings.Contains(err.Error(), "not an http or https URL") {
		t.Errorf("error of a path without a host is %v", err)
	}
}
